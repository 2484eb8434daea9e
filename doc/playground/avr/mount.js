// mount.js - both parts in an element of a page: the interrupt lesson and the board
// SPDX-License-Identifier: MIT
const { draw } = require("./draw");

function mount(element) {
    const { LessonView } = require("./lesson_view");
    const { BoardView } = require("./board_view");
    const lesson = draw("section", { class: "pt-avr" });
    const board = draw("section", { class: "pt-avr" });

    element.append(draw("style", {}, require("./style")), lesson, board);
    return { lesson: new LessonView(lesson), board: new BoardView(board) };
}

module.exports = { mount };
