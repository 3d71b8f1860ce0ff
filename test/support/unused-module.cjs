// In place of what Pulumi's SDK loads to put a JavaScript function into a state: the compiler and what reads npm's
// trees.
module.exports = {};
