import"./beside/history.js";
