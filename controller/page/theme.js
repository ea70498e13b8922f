// Light or dark, before anything is painted. A classic script in the head on purpose: a module would come too late.
(() => {
  const KEY = "hextraction.theme";
  const ORDER = ["auto", "light", "dark"];
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";
  try {
    choice = localStorage.getItem(KEY) || "auto";
  } catch {
    // Storage can be denied; then the choice lasts as long as the page.
  }
  const apply = () => {
    const dark = choice === "dark" || (choice !== "light" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.dataset.choice = choice;
  };
  const next = () => {
    choice = ORDER[(ORDER.indexOf(choice) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // As above.
    }
    apply();
    return choice;
  };
  system.addEventListener("change", apply);
  apply();
  globalThis.hextractionTheme = { next, choice: () => choice };
})();
