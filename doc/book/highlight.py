# highlight.py - color the listings of a page, when it is built: a page has no script
# SPDX-License-Identifier: MIT
"""A language is a pattern of groups, one for each kind of word; the first that matches wins. `stop` is what the book is
about: a place at which the function may stop."""

import html
import pathlib
import re

COMMENT_C = r"/\*.*?\*/|//[^\n]*"
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
NUMBER = r"\b(?:0x[\da-fA-F]+|\d[\d.]*)\w*"
SUSPENDS = re.findall(r"^(PT_\w+) PT_", (pathlib.Path(__file__).parent / "expansions").read_text(), re.M)
OURS = ["PT_SUSPEND", "PT_SUSPEND_AT_", "PT_READY", "PT_READABLE", "PT_CHOOSE_"]  # of the miniature
STOPS = rf"\b(?:{'|'.join(SUSPENDS + OURS)})(?=\()"


def words(text):
    return r"\b(?:" + "|".join(text.split()) + r")\b"


def language(comment, stop, keyword, string=STRING, directive="(?!)", name="(?!)"):
    kinds = {"comment": comment, "string": string, "directive": directive, "stop": stop, "keyword": keyword,
             "name": name, "number": NUMBER}
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()), re.S | re.M)


C = language(COMMENT_C, STOPS, words(
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int "
    "int8_t int16_t int32_t int64_t long register return short signed size_t sizeof static struct switch true typedef "
    "uint8_t uint16_t uint32_t uint64_t union unsigned void volatile while _Bool pt_op pt_time"),
    directive=r"^[ \t]*#[ \t]*\w+", name=r"\bPT_\w+")
LANGUAGES = {
    "c": C, "h": C,
    "js": language(COMMENT_C, words("await yield"), words(
        "async break case catch class const continue default else export finally for from function if import in let "
        "new null of return switch this throw true false try typeof undefined var while"), STRING + r"|`[^`]*`"),
    "py": language(r"#[^\n]*", words("await yield"), words(
        "and as async break class continue def elif else except finally for from global if import in is lambda None "
        "nonlocal not or pass raise return True False try while with"), r'""".*?"""|' + STRING),
    "go": language(COMMENT_C, r"&lt;-|<-", words(
        "break case chan const continue default defer else false for func go if import int interface make map nil "
        "package range return select string struct switch true type var"), STRING + r"|`[^`]*`"),
    "rs": language(r"//[^\n]*", r"\.await\b|\bselect!", words(
        "as async break const continue else enum false fn for if impl in let loop match mod move mut pub ref return "
        "self Self static struct trait true type use where while"), r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])\''),
    "sh": language(r"(?<!\S)#[^\n]*", "(?!)", words("case cd do done else esac fi for if in then while"), STRING),
}
LISTING = re.compile(r'<pre\s+class="(\w+)"><code>(.*?)</code></pre>', re.S)


def colored(code, pattern):
    """HTML of a text in which each word of a kind has it as its class."""
    done, end = [], 0
    for found in pattern.finditer(code):
        kind = found.lastgroup
        done += [html.escape(code[end:found.start()], quote=False),
                 f'<b class="{kind}">{html.escape(found[0], quote=False)}</b>']
        end = found.end()
    return "".join(done) + html.escape(code[end:], quote=False)


def page(text):
    """A page with its listings colored. A keyboard can scroll a listing or a table that is wider than the page."""
    def listing(found):
        kind, code = found[1], html.unescape(found[2])
        body = colored(code, LANGUAGES[kind]) if kind in LANGUAGES else found[2]
        return f'<pre class="{kind}" tabindex="0"><code>{body}</code></pre>'
    for tag in ('<pre class="diff">', "<table>"):
        text = text.replace(tag, tag[:-1] + ' tabindex="0">')
    return LISTING.sub(listing, text)
