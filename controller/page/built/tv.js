import"./beside/tv.js";
