// What the table remembers of the evening, for whoever comes late: of its own because phones and the big screen ask for it.

/** The last events, the games of the evening and where to join; null if they cannot be had now. */
export async function readEvening() {
  try {
    const answer = await fetch("evening", { cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
