// What the test page does when it is told to: answers the lines that the server has, or uses the package once.
import { answersTo } from "./lines.js";
import { use } from "./use.js";

globalThis.interlockPage = {
  /** Answers the lines of /lines, and sends the answers to /answers. */
  async conform() {
    const lines = await fetch("/lines");
    const answers = await new Response(answersTo(lines.body)).blob();
    const sent = await fetch("/answers", { method: "POST", body: answers });
    return sent.status;
  },
  use,
};
document.title = "ready";
