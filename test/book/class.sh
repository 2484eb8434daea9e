# class.sh - what the book has for a class: the grader, the archives, the slides and the quiz; a part of run
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# (run sets book, out and here.)

# answer NAME CODE - an answer to exercise 02 whose body is CODE
answer() {
    sed "s|/\\* your code \\*/|$2|" "$out/02/exercise.c" >"$out/answers/$1.c"
}

# graded FILE PATTERN - whether its line says so
graded() { grep -qE "/$1.c: $2" "$out/grades" || { grep "/$1.c" "$out/grades"; return 1; }; }

grading() {
    answer missing 'missing();'
    answer crash '*(volatile int *)8 = 1;'
    answer loop 'for (;;) ;'
    answer talks 'for (;;) puts("again and again");'
    answer input 'getchar(); exit(3);'
    answer local 'int i; for (i = 1; i < 9; i++) { self->value = i; PT_YIELD(); }'
    sed -i 's|<stdio.h>|<stdio.h>\n#include <stdlib.h>|' "$out/answers/input.c"
    sed 's/^static PT_ASYNC/static int unused;\n&/' "$out/02/solution.c" >"$out/answers/warned.c"
    echo 'int main(void) { return puts("passed") < 0; }' | sed '1i #include <stdio.h>' >"$out/answers/cheat.c"
    "$book/grade" 02 "$out/answers"/missing.c "$out/02/solution.c" "$out/none.c" "$out/answers"/crash.c \
        "$out/answers"/loop.c "$out/answers"/talks.c "$out/answers"/input.c "$out/answers"/local.c \
        "$out/answers"/warned.c "$out/answers"/cheat.c >"$out/grades"
    [ $? -eq 1 ] && [ "$(wc -l <"$out/grades")" -eq 10 ]
    verdict $? several_solutions_are_graded_and_each_gets_a_line
    graded missing 'does not compile: .*missing' && graded solution 'passed$' && graded none 'there is no such file'
    verdict $? what_does_not_compile_or_is_not_there_is_told
    graded crash 'crashed: SIGSEGV$' && graded loop 'does not end: ' &&
        graded talks '(does not end|prints without an end)'
    verdict $? a_crash_is_told_from_a_program_that_does_not_end
    graded input 'ended with status 3, '
    verdict $? a_solution_gets_no_input
    graded warned 'passed  \[warning: .*unused' && graded local 'FAIL: .*\[warning: .*uninitialized'
    verdict $? what_the_compiler_warns_of_is_shown_with_each_verdict
    graded cheat 'the test at its end is not that of the exercise'
    verdict $? a_solution_without_the_test_of_the_exercise_does_not_pass
    "$book/grade" --help >"$out/usage" && grep -q '^usage: ' "$out/usage" && ! "$book/grade" 13 x 2>/dev/null &&
        ! "$book/grade" 2>/dev/null && "$book/build" --help >"$out/help" && grep -q '^usage: build' "$out/help" &&
        ! "$book/build" --all x 2>/dev/null
    verdict $? the_tools_of_the_book_have_help_and_reject_what_they_do_not_know
    mkdir -p "$out/bare"
    ln -sf "$(python3 -c 'import sys; print(sys.executable)')" "$out/bare/python3"
    ln -sf "$(command -v env)" "$out/bare"
    env PATH="$out/bare" "$book/grade" 02 "$out/02/solution.c" >"$out/bare/said" 2>&1
    [ $? -eq 1 ] && [ "$(cat "$out/bare/said")" = 'build: no unifdef; install it first' ]
    verdict $? a_tool_that_is_not_installed_is_named
    answer forks 'for (;;) fork();'
    answer eats 'for (;;) *(volatile char *)malloc(1 << 20) = 1;'
    answer grows 'for (;;) malloc(100);'
    answer writes "fopen(\"$out/written\", \"w\");"
    answer removes "remove(\"$out/grades\");"
    answer ends 'exit(125);'
    for name in forks eats grows writes removes ends; do
        sed -i 's|<stdio.h>|<stdio.h>\n#include <stdlib.h>\nint fork(void);|' "$out/answers/$name.c"
    done
    "$book/grade" 02 "$out/answers"/forks.c "$out/answers"/eats.c "$out/answers"/grows.c "$out/answers"/writes.c \
        "$out/answers"/removes.c "$out/answers"/ends.c >"$out/grades" 2>"$out/said"
    if grep -q 'no guard here' "$out/said"; then
        skipped=$((skipped + 1))
        echo 'skip the guard: this kernel or processor has none'
        return
    fi
    graded forks 'stopped: it starts a process' && graded eats 'stopped: it asks for more than 256 MB of memory' &&
        graded grows 'stopped: it asks for more than 256 MB of memory'
    verdict $? a_solution_that_forks_or_takes_memory_without_end_is_stopped_and_named
    graded writes 'stopped: it opens a file for writing' && graded removes 'stopped: it removes a file' &&
        ! [ -e "$out/written" ] && [ -s "$out/grades" ]
    verdict $? a_solution_cannot_write_or_remove_a_file
    graded ends 'ended with status 125, '
    verdict $? a_solution_that_ends_as_the_guard_does_is_not_taken_for_one_that_was_stopped
}

# before NAME CODE - an answer to exercise 02 with CODE between its body and the test
before() {
    sed "s|^/\\* --- the test|$2\n&|; s|<stdio.h>|<stdio.h>\n#include <stdlib.h>|" "$out/02/exercise.c" \
        >"$out/answers/$1.c"
}

# Answers that want to pass without a solution.
cheating() {
    before constructor 'static void __attribute__((constructor)) c(void) { puts("passed"); exit(0); }'
    before main 'int main(void) { return puts("passed") < 0; }\n#define main other'
    before for '#define for if (0) for'
    before header '#undef PT_END\n#define PT_END }'
    before other "#include \"$out/secret.h\""
    sed 's|^/\* --- the test|int strcmp(const char *a, const char *b) { return a == b; }\n&|' \
        "$out/05/exercise.c" >"$out/answers/strcmp.c"
    answer reads "printf(\"FAIL: %d\\\\n\", !fopen(\"$out/secret.h\", \"r\"));"
    answer hides 'puts("FAIL: \\033[2J");'
    : >"$out/secret.h"
    ln -sf "$out/02/solution.c" "$out/answers/link.c"
    for name in constructor main for header other link reads hides; do
        set -- "$@" "$out/answers/$name.c"
    done
    "$book/grade" 02 "$@" >"$out/grades" 2>"$out/said"
    "$book/grade" 05 "$out/answers/strcmp.c" >>"$out/grades"
    graded constructor 'prints "passed" itself' && graded main 'it defines main for' &&
        graded for 'it defines for for' && graded header 'it defines PT_END for' &&
        graded strcmp 'it defines strcmp for'
    verdict $? a_solution_that_prints_passed_itself_or_redefines_a_word_of_the_test_does_not_pass
    graded other 'it includes .*secret.h$' && graded link 'it is a link' && graded hides 'FAIL: .\[2J' &&
        ! grep -q "$(printf '\033')" "$out/grades"
    verdict $? a_solution_of_somebody_else_is_no_answer_and_what_is_shown_is_text
    grep -q 'no guard here' "$out/said" || graded reads 'stopped: it opens a file$'
    verdict $? a_solution_cannot_read_files
}

# A folder for each student: points, an exercise that is not there, and what is wrong.
marks() {
    rm -rf "$out/class"
    mkdir -p "$out/class/anna/02" "$out/class/=bert" "$out/class/carl"
    cp "$out/02/solution.c" "$out/class/anna/02/exercise.c"
    cp "$out/03/solution.c" "$out/class/anna/03.c"
    cp "$out/answers/crash.c" "$out/class/=bert/02.c"
    cp "$out/02/solution.c" "$out/class/carl/exercise02.c"
    "$book/grade" --class "$out/class" | tr -d '\r' >"$out/marks"
    cat >"$out/expected" <<'END'
student,01,02,03,04,05,06,07,08,09,10,11,12,points,of,remarks
'=bert,,0,,,,,,,,,,,0,40,02: crashed: SIGSEGV
anna,,2,3,,,,,,,,,,5,40,
carl,,,,,,,,,,,,,0,40,not graded: exercise02.c
END
    diff "$out/marks" "$out/expected"
    verdict $? a_class_gets_a_table_of_points_as_csv
}

# The archives, the quiz, the slides.
course() {
    "$here/course" "$out" >"$out/course"
    cat "$out/course"
    passed=$((passed + $(grep -c '^ok ' "$out/course"))) failed=$((failed + $(grep -c '^FAIL ' "$out/course")))
    [ "$(tail -n 1 "$out/course" | cut -c 1-2)" = ok ]
    verdict $? the_tests_of_what_a_class_gets_have_run
}
