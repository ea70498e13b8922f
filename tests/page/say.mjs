// Say texts as a phone would: reads {catalogues, texts} as JSON from standard input, writes a list of what each
// text becomes with these catalogues, loaded in their order.

import { readFileSync } from "node:fs";
import { addWords, translated } from "../../controller/page/words/sentences.js";

const { catalogues, texts } = JSON.parse(readFileSync(0, "utf8"));
for (const one of catalogues) addWords(one);
process.stdout.write(JSON.stringify(texts.map((text) => translated(text))));
