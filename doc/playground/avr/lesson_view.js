module.exports = { mount() {} };
