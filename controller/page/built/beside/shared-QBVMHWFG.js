import{d as o,o as r}from"./shared-6BDKSJRK.js";function c(t){let i=o(t);return r().pictured?.(i).map(e=>typeof e=="string"?document.createTextNode(e):e)??t}export{c as a};
