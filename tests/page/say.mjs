// Say texts as a phone would: reads {catalogues, seats, texts} as JSON from standard input, writes a list of what each
// text becomes with these catalogues, loaded in their order.

import { readFileSync } from "node:fs";
import { addWords, keepNames, translated } from "../../controller/page/sentences.js";

const { catalogues, seats, texts } = JSON.parse(readFileSync(0, "utf8"));
for (const one of catalogues) addWords(one);
keepNames(seats);
process.stdout.write(JSON.stringify(texts.map((text) => translated(text))));
