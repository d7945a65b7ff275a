// What the compiler says where a ToolCheck is used as a value of truth: each line with a comment is an error of that code, every other line is none.
import { type Client, rawJson, type Session, type ToolCheck } from "interlock";

declare const client: Client;
declare const session: Session;
declare const check: ToolCheck;
declare const holder: { check: ToolCheck };
declare function run(args: unknown): void;

if (check) run("the call"); // TS2774
if (holder.check) run("the call"); // TS2774
const said = check ? "yes" : "no"; // TS2774
check && run("the call"); // TS2774
const fits: boolean = check; // TS2322
if (check === true) run("the call"); // TS2367
if (check == "allow") run("the call"); // TS2367
if (check > 0) run("the call"); // TS2365
const sum = check + 1; // TS2365
check(); // TS2554
new Set<boolean>().add(check); // TS2345

if (check.decision === "allow") run(check.arguments);
if (check.decision === "yes") run(check.arguments); // TS2367
const asked = session.checkToolCall("charge_card", rawJson('{"amount":40.00}'), { origins: { amount: "typed" } });
session.checkToolCall("charge_card", { amount: 40 }, { confirmation: asked.confirmation });
session.ran(asked, "ran", { result: { id: "c-1" } });
session.ran(asked, "done"); // TS2345
client.checkToolCall("get_order", { order_id: "4411" }, { agent: "desk", session: "s", history: asked.history, undo: 3 });
client.checkToolCall("get_order", { order_id: "4411" }, { agnet: "desk" }); // TS2561
client.checkToolCall("get_order", "4411"); // TS2345
interface Order {
  order_id: string;
}
declare const order: Order;
client.checkToolCall("get_order", order, { agent: "desk" });

export { fits, said, sum };
