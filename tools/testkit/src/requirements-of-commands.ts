// The requirements on the command: what people do from a shell.

export const commandSections = [
  {
    source: "design, three kinds of people",
    claims: {
      "command.ask-and-answer":
        "A shell can ask and get the answer as JSON; another shell can list, answer, decline and cancel.",
      "command.accounts": "The command asks for accounts, lists them without their secrets, and disconnects them.",
      "command.keys": "The command creates keys, rotates them and reports how many records each one seals.",
      "command.exit-status": "The exit status is 0 for success, 1 for a failure or refusal, 2 for wrong usage.",
      "command.explains-itself":
        "Unknown words get the nearest known one as a suggestion, and an old Node version is reported in one sentence.",
    },
  },
] as const
