// The policies of the ready-made drafts, as people write them.

export const MAIL = `# A mailbox: an assistant reads what strangers wrote, and may answer.
tenant: mail
agents:
  assistant:
    tools: [read_inbox, find_contact, send_mail]

tools:
  - name: read_inbox
    description: Show the newest message.
    effect: read
    reads_outside: true          # strangers wrote it: values that may repeat it are marked
    result:
      type: object
      properties:
        from: {type: string}
        subject: {type: string}
        body: {type: string}

  - name: find_contact
    description: Look a person up in the address book.
    effect: read
    parameters:
      type: object
      properties: {name: {type: string}}
      required: [name]
    result:
      type: object
      properties: {address: {type: string}}

  - name: send_mail
    description: Send a message to somebody.
    sends_out: true              # an argument names where data goes
    irreversible: true
    parameters:
      type: object
      properties:
        to: {type: string, format: email}
        text: {type: string, maxLength: 2000}
      required: [to, text]

rulebook:
  flows:
    - name: outgoing
      on: [send_mail]
      rules:
        - id: no-freemail
          refuse_if: args.to.endsWith("@freemail.example")
          because: Nothing is sent to freemail addresses.

settings:
  taint_policy: confirm          # refuse: a marked write never runs
`;

export const FILES = `# Files behind an MCP server, as somebody who tidies notes needs them.
tenant: files
agents:
  helper: {tools: [list_files, read_file, write_file, move_file]}

tools:
  - name: list_files
    description: List a folder.
    effect: read
    parameters: {type: object, properties: {path: {type: string}}, required: [path]}

  - name: read_file
    description: Read a file.
    effect: read
    reads_outside: true          # whoever wrote the file may be a stranger
    parameters: {type: object, properties: {path: {type: string}}, required: [path]}

  - name: write_file
    description: Write a file, over what is there.
    irreversible: true
    not_after: [untrusted]       # never once something from outside was read
    parameters:
      type: object
      properties:
        path: {type: string}
        content: {type: string}
      required: [path, content]

  - name: move_file
    description: Move a file.
    parameters:
      type: object
      properties:
        source: {type: string}
        destination: {type: string}
      required: [source, destination]
    undo:
      tool: move_file
      bind: {source: arguments.destination, destination: arguments.source}
`;

export const REFUND = `# Charging invoices, with a way back.
tenant: refund
agents:
  billing:
    privilege: high
    tools: [charge_card, refund_card]

tools:
  - name: charge_card
    description: Charge the card of an invoice.
    parameters:
      type: object
      properties:
        invoice: {type: string, pattern: "^[0-9]{1,8}$"}
        amount: {type: number, exclusiveMinimum: 0, multipleOf: 0.01}
      required: [invoice, amount]
    result:
      type: object
      properties: {charge_id: {type: string}}
    at_most: 3                   # in a session
    undo:
      tool: refund_card
      bind: {charge_id: result.charge_id}

  - name: refund_card
    description: Refund a charge.
    irreversible: true
    parameters:
      type: object
      properties: {charge_id: {type: string}}
      required: [charge_id]

rulebook:
  flows:
    - name: charges
      on: [charge_card]
      rules:
        - id: own-invoices
          allow_if: has(principal.id)
          because: A charge needs somebody it is made for.
        - id: large
          ask_if: args.amount > 500
          question: A charge this large needs a second look.
`;
