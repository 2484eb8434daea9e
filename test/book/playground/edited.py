# edited.py - the button "Edit for real" in the browser: a changed program is compiled, runs, and can be stepped
# SPDX-License-Identifier: MIT
import json
import time

PATIENCE = 900  # seconds for a compiler that has just been loaded, on a machine with other work


def compiled(browser, name, changes, reset=True):
    """Change a program in the editor and compile it; what the page says then."""
    if reset:
        browser.run(f"document.getElementById('ask').checked = false; App.choose({json.dumps(name)})")
    browser.run("document.getElementById('edit').hidden || document.getElementById('edit').click()")
    for old, new in changes:
        there = browser.run(f"""(() => {{
            const editor = document.getElementById("editor"), there = editor.value.includes({json.dumps(old)});
            editor.value = editor.value.replace({json.dumps(old)}, () => {json.dumps(new)});
            editor.dispatchEvent(new Event("input"));
            return there;
        }})()""")
        if not there:
            raise RuntimeError(f"{name} has no {old}")
    browser.run("document.getElementById('compile').click()")
    end = time.monotonic() + PATIENCE
    busy = "new Promise((good) => setTimeout(() => good(document.getElementById('compile').disabled), 200))"
    while browser.run(busy):
        if time.monotonic() > end:
            break
    return browser.run("""(() => {
        const text = (id) => document.getElementById(id).textContent;
        const errors = [...document.querySelectorAll("#errors li")].map((one) => one.textContent);
        const gutter = [...document.querySelectorAll("#gutter .wrong")].map((one) => Number(one.textContent));
        const editing = !document.getElementById("edit-part").hidden, lines = new Set();
        if (!editing)
            for (App.go(0); App.at() < App.length() - 1; App.go(App.at() + 1))
                lines.add(Number((document.querySelector(".line.now") || {dataset: {line: 0}}).dataset.line));
        App.go(App.length() - 1);
        return {said: text("compiler"), errors, gutter, editing, output: text("output"), stopped: text("stopped"),
            file: text("file"), lines: [...lines], ended: document.querySelectorAll("#ended li").length};
    })()""")


def edited(browser, page, verdict):
    """VERDICT(good, sentence, why); PAGE: an address with a compiler beside it."""
    browser.open(page)
    text = [('.name = "Vega", .n = 2, .ms = 1500', '.name = "Sojus", .n = 1, .ms = 700'),
            ('printf("%4d ms  %s is up', 'puts("look");\n    printf("%4d ms  %s has gone')]
    seen = compiled(browser, "book-05", text)
    right = "700 ms  Sojus has gone" in seen["output"] and "look\n" in seen["output"] and not seen["errors"]
    verdict(right and seen["file"].endswith(", changed"), "a_changed_program_is_compiled_in_the_page_and_runs", seen)
    verdict(len(seen["lines"]) > 8 and seen["ended"] >= 2, "a_changed_program_is_stepped_line_by_line_with_its_tasks",
            seen)
    text = [("int n, ms;", "int count, ms;\n    long spare;"), ("self->n--", "self->count--"), (".n = 3", ".count = 3"),
            ("self->n > 0", "self->count > 0"), ("self->name, self->n)", "self->name, self->count)"),
            (".n = 2", ".count = 2")]
    seen = compiled(browser, "book-05", text)
    verdict("3000 ms  Ariane is up" in seen["output"] and not seen["errors"], "a_changed_struct_runs_too", seen)
    seen = compiled(browser, "book-05", [("PT_WAIT(", "PT_WAITS(")])
    line = browser.run("document.getElementById('editor').value.split('\\n').findIndex((one) => "
                       "one.includes('PT_WAITS(')) + 1")
    where = browser.run("(({value, selectionStart: at}) => value.slice(0, at).split('\\n').length)("
                        "document.getElementById('editor'))")
    verdict(seen["editing"] and seen["gutter"] == [line] and where == line and "PT_WAITS" in seen["errors"][0] and
            seen["errors"][0].startswith(f"line {line}: "), "an_error_of_the_compiler_is_shown_at_its_line",
            [seen, where])
    seen = compiled(browser, "book-05", [("PT_WAITS(", "for (;;)\n            ;\n        PT_WAIT(")], reset=False)
    verdict("was stopped" in seen["stopped"], "an_endless_loop_is_stopped_and_the_page_goes_on", seen)
    browser.run("document.getElementById('original').click()")
    seen = browser.run("[document.getElementById('file').textContent, App.length() > 20]")
    verdict(seen == ["doc/book/programs/05.c", True], "a_button_brings_the_original_back", seen)
    seen = compiled(browser, "03-sleeping", [("lies down", "sits down")])
    verdict(not seen["errors"] and "the cat sits down" in seen["output"],
            "a_changed_lesson_is_compiled_with_the_headers_of_pt", seen)


def absent(browser, page, verdict):
    """A page without a compiler says how to get one, and works."""
    browser.open(page)
    seen = compiled(browser, "03-sleeping", [])
    verdict("make -C build book" in seen["said"] and seen["editing"],
            "without_a_compiler_the_button_says_how_to_get_it", seen)
    browser.run("document.getElementById('discard').click()")
    verdict(browser.run("App.length() > 20 && document.getElementById('edit-part').hidden"),
            "the_page_works_without_a_compiler")
