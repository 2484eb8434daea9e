# examples.awk - put the examples in the heads of headers into a file: awk -v include=DIRECTORY -f examples.awk FILE
# SPDX-License-Identifier: MIT
#
# A line `//@ run/run.h 2 3` becomes the second and third example of that header, `//@ run/run.h` the first. An example
# is what stands indented between two empty lines of a comment, without the words to the right of the code. In a
# struct `...` becomes REST, which the file defines; elsewhere it becomes nothing.
function example(header, number,    file, line, count, inside) {
    file = include "/pt/" header
    count = inside = 0
    printf "#line 1 \"%s, example %d\"\n", header, number
    while ((getline line < file) > 0) {
        if (line ~ /^ \*     /) {
            count += !inside
            inside = 1
            if (count == number) print code(line)
        } else
            inside = 0
        if (line ~ /\*\//) inside = 0
    }
    close(file)
    if (number > count) print "#error " header " has no example " number
}
function code(line) {
    sub(/^ \*     /, "", line)
    sub(/ *\*\/ *$/, "", line)
    if (substr(line, 1, 30) ~ /^ +$/ && length(line) > 30) return "" # more words
    if (match(line, /[;{})]   +[^ ]/)) line = substr(line, 1, RSTART)
    sub(/; \.\.\. }/, "; REST }", line)
    sub(/\) \.\.\.( .*)?$/, ") {}", line)
    sub(/^ *\.\.\.$/, "", line)
    return line
}
/^ *\/\/@ / {
    if (NF == 2) example($2, 1)
    for (i = 3; i <= NF; i++) example($2, $i)
    printf "#line %d \"%s\"\n", NR + 1, FILENAME
    next
}
{ print }
