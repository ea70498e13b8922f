// What the theme leaves unsaid for people who listen to a page or have no mouse: the search has a name, parts of one
// navigation are no navigations of their own, and what scrolls sideways can be reached by the keyboard.
function tell() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const part of document.querySelectorAll(".md-nav--secondary nav, nav.md-code__nav")) {
    part.removeAttribute("aria-label");
    part.setAttribute("role", "none");
  }
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}

tell();
new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", tell);
