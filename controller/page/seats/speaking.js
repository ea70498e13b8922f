// Whom this phone speaks for: mostly its own seat. It may have brought players who have no phone; then it speaks for whoever
// of them has something to do, and all that the page shows of "our seat" is that player's.

import { about } from "../scene/groups.js";

/**
 * Choose who speaks now: sets `seat` and `view` of the store from `own`, our seat, and `views`, what it was shown; `shared`
 * says that this phone plays for several, and `called` which of them has something to do.
 * @param {Store} store
 */
export function speak(store) {
  const guests = (store.table?.seats ?? []).filter((one) => one.by && one.by === store.own);
  const views = store.views ? [store.views.view, ...(store.views.guests ?? [])] : [];
  store.shared = guests.length > 0;
  const waits = store.shared && store.table?.phase === "playing" ? whoIsWaitedFor(views, store) : [];
  const chosen = waits.find((view) => view.seat === store.seat) ?? waits[0] ?? views[0]; // whoever spoke last goes on
  store.called = waits.length ? chosen.seat : null;
  store.seat = store.own && chosen ? chosen.seat : store.own;
  store.view = store.views && chosen ? { ...store.views, view: withRest(chosen, views) } : null;
}

/** The views of those for whom the table waits: who is asked, or can end the waiting by a word; else whose move it is. */
function whoIsWaitedFor(views, store) {
  const asked = views.filter((view) => (view.prompts ?? []).length > 0 || (view.options ?? []).some((option) => option.by_button && !option.speaks_for));
  return asked.length ? asked : views.filter((view) => view.seat === store.state?.view?.acting);
}

/** A view with what the others on this phone can still take back: it is the same finger. */
function withRest(view, views) {
  const rest = views.filter((one) => one !== view).flatMap((one) => one.options.filter((option) => about(option.group).stays).map((option) => ({ ...option, as: one.seat })));
  return rest.length ? { ...view, options: [...view.options, ...rest] } : view;
}
