// What every store has to do, for any runtime: gives a list of what went wrong, which should be empty.

/** @param store the store, with records of nobody else */
export async function storeProblems(store) {
  const wrong = [];
  const hold = (what, value, expected) => {
    if (JSON.stringify(value) !== JSON.stringify(expected)) wrong.push(`${what}: ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`);
  };
  hold("nothing yet", await store.read("a", "head"), null);
  hold("an update of nothing", await store.swap("a", "head", "x", "y"), false);
  hold("still nothing", await store.read("a", "head"), null);
  hold("a first write", await store.swap("a", "head", null, "1"), true);
  hold("what was written", await store.read("a", "head"), "1");
  hold("a second first write", await store.swap("a", "head", null, "2"), false);
  hold("an update of something else", await store.swap("a", "head", "0", "2"), false);
  hold("what was written, still", await store.read("a", "head"), "1");
  hold("an update", await store.swap("a", "head", "1", "2"), true);
  hold("the same update again", await store.swap("a", "head", "1", "2"), false);
  hold("another session", await store.read("b", "head"), null);
  hold("another record", await store.read("a", "once/x"), null);
  hold("its first write", await store.swap("a", "once/x", null, "o"), true);
  hold("the other session's first write", await store.swap("b", "head", null, "b"), true);
  hold("each for itself", [await store.read("a", "head"), await store.read("a", "once/x"), await store.read("b", "head")], ["2", "o", "b"]);
  const odd = ["'; DROP TABLE kept; --", "é\u{1f600}", "", " ".repeat(300), "%_"];
  for (const name of odd) {
    hold(`first write of ${JSON.stringify(name)}`, await store.swap(`s${name}`, `k${name}`, null, `v${name}`), true);
    hold(`read of ${JSON.stringify(name)}`, await store.read(`s${name}`, `k${name}`), `v${name}`);
  }
  const long = JSON.stringify({ text: "é".repeat(100_000) });
  hold("a long text", (await store.swap("l", "head", null, long)) && (await store.read("l", "head")) === long, true);
  const won = await Promise.all(Array.from({ length: 40 }, (_, i) => store.swap("race", "head", null, `${i}`)));
  hold("one of many first writes", won.filter((each) => each).length, 1);
  hold("the winner's text", await store.read("race", "head"), `${won.indexOf(true)}`);
  // Each of many counts one up, and no count is lost.
  const count = async () => {
    for (;;) {
      const now = await store.read("count", "head");
      if (await store.swap("count", "head", now, `${Number(now ?? 0) + 1}`)) return;
    }
  };
  await Promise.all(Array.from({ length: 20 }, count));
  hold("twenty counts", await store.read("count", "head"), "20");
  return wrong;
}
