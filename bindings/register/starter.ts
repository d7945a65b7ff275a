// The starter policy that `interlock init` writes: a small shop, every part of a policy with a comment that says what it does.

/** The text of the starter policy. `tenant` becomes its tenant; it must be printable and not hold a line break. */
export function starterPolicy(tenant = 'acme'): string {
  return STARTER.replace('tenant: acme', `tenant: ${/^[A-Za-z][A-Za-z0-9_-]*$/.test(tenant) && !/^(?:true|false|null)$/i.test(tenant) ? tenant : JSON.stringify(tenant)}`);
}

const STARTER = `# yaml-language-server: $schema=./policy.schema.json
# An Interlock policy: which agent may call which tool, when, and what a person must see first.
# Check this file with:  interlock lint policy.yaml

# Whose policy this is. It is part of every digest, so keep it once sessions have started.
tenant: acme

# Who calls. An agent may call only the tools named here; ["*"] means all of them.
agents:
  desk:
    tools: [get_order, charge_card, send_receipt, read_inbox, delete_order]
  billing:
    privilege: high            # low, normal (default) or high: how far it is trusted
    tools: [get_order, refund_card]

# What can be called. A tool is a write unless it says effect: read, and a write is shown to a
# person first unless a rule, an undo or a confirmation lets it through.
tools:
  - name: get_order
    description: Show an order, its customer and its total.
    effect: read
    parameters: &order         # JSON Schema (draft 2020-12); arguments not declared here are refused
      type: object
      properties:
        order_id: {type: string, pattern: "^[0-9]{1,12}$"}
      required: [order_id]
    result:                    # the fields that later calls may take values from
      type: object
      properties:
        total: {type: number}
        customer: {type: string}

  - name: charge_card
    description: Charge the card of an order.
    parameters:
      type: object
      properties:
        order_id: {type: string, pattern: "^[0-9]{1,12}$"}
        amount: {type: number, exclusiveMinimum: 0, multipleOf: 0.01}
      required: [order_id, amount]
    result:
      type: object
      properties:
        charge_id: {type: string}
    after: [get_order]         # only once the order was looked at in this session
    not_after: [untrusted]     # never once something from outside was read
    at_most: 2                 # times in a session
    undo:                      # what takes it back, and where its arguments come from
      tool: refund_card
      bind: {charge_id: result.charge_id}

  - name: refund_card
    description: Refund a charge.
    parameters:
      type: object
      properties:
        charge_id: {type: string}
      required: [charge_id]
    irreversible: true

  - name: send_receipt
    description: Send the receipt of an order to its customer.
    sends_out: true            # an argument may name a destination; without this, addresses are refused
    irreversible: true
    parameters: *order

  - name: read_inbox
    description: Show the newest support message.
    effect: read
    reads_outside: true        # strangers wrote what it returns: values that may repeat it are marked

  - name: delete_order
    description: Delete an order for good.
    irreversible: true         # nothing undoes it, and the person asked is told so
    privilege: high            # a mark with less trust holds the call
    parameters: *order

  # Tools can be imported from an MCP server instead of being written out, from a saved listing or live.
  # The server's annotations propose effect and reads_outside. Naming a saved listing approves it, so read
  # it first; a live one counts only with approved:, the digest that \`interlock import mcp\` prints.
  #
  # - mcp: ./files.json        # written by:  interlock import mcp -o files.json -- npx -y some-mcp-server
  #   prefix: files_           # put before every name
  #   only: [read_file]        # import these, by the server's own names
  # - mcp: {command: npx, args: [-y, some-mcp-server], env: {API_KEY: $API_KEY}}
  #   approved: yTfmZb0AdLYYwZQRbNfLNJUCvYgEmvBHNn7RKpKIqXU
  #
  # Words can be laid over an imported tool: each member given replaces the imported one.
  #
  # - name: files_read_file
  #   reads_outside: true

# Rules over a call. Conditions are CEL; $name is a fact the host sends, args are the arguments.
rulebook:
  facts: [card_on_file]        # with this list, a fact that is not on it is an error here and now
  flows:
    - name: charges
      on: [charge_card]
      rules:
        - id: needs-card
          allow_if: $card_on_file            # refuses the call unless true
          because: There is no card on file.
        - id: cap
          refuse_if: args.amount > 500
          because: Charges over 500 go through finance.
        - id: large
          ask_if: args.amount > 200
          question: A charge this large needs a second look.

# Every setting has a default; these are the ones people change first.
settings:
  confirmation_ttl: 3600       # seconds a confirmation holds (default 86400)
  taint_policy: confirm        # or refuse: what becomes of a write that a mark holds
  language: en                 # or pt-BR: how people write numbers
`;

/** The script of calls that `interlock init` writes beside the starter policy, for `interlock run`. */
export function starterScript(): string {
  return SCRIPT;
}

const SCRIPT = `# A script of calls and the answers the policy should give them.
# Run it with:  interlock run session.yaml          Write the answers it gives into it:  interlock run --update
policy: policy.yaml
agent: desk
context: {card_on_file: true}

cases:
  - name: an order is looked up and charged after a yes; a refund by another desk is asked about
    steps:
      - turn: charge order 4411 40.00
      - call: get_order
        arguments: {order_id: "4411"}
        origins: {order_id: typed}           # the person wrote it; the check looks for it in the turn
        expect: allow
      - ran: {total: 40, customer: Ana}      # report what became of the last call, with its result
      - call: charge_card
        arguments: {order_id: "4411", amount: 40}
        origins: {order_id: typed, amount: typed}
        expect: {decision: confirm, reason: write}
      - confirm: true                        # the person says yes: the same call again, with its confirmation
        expect: {decision: allow, reason: confirmed}
      - ran: {charge_id: ch_1}
      - call: refund_card
        agent: billing
        arguments: {charge_id: ch_1}
        expect: confirm                      # not an undo: another agent, and a value the model wrote

  - name: what must not happen
    steps:
      - call: charge_card
        arguments: {order_id: "4411", amount: 40}
        expect: {decision: refuse, reason: order_rule}       # get_order comes first
      - call: get_order
        arguments: {order_id: "4411", note: hidden}
        expect: {decision: refuse, reason: argument_schema}  # an argument the tool does not declare
      - call: drop_table
        expect: {decision: refuse, reason: unknown_tool}
`;
