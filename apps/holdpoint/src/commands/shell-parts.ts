// `holdpoint shell init`, `validate` and `run`: help to write and try scripts without an MCP client.

import type { Command } from "../command.ts"
import { scriptFlags } from "./shell.ts"

export const init: Command = {
  name: "shell init",
  summary: "Make a folder with a sample tool that asks. Existing files are not overwritten.",
  usage: "[DIR]",
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {},
  notes: ["The default DIR is ./tools."],
  run: async (call) => (await import("../shell/init.ts")).initTools(call),
}

export const validate: Command = {
  name: "shell validate",
  summary: "List the tools of a folder and every problem with them. The exit code is 1 if any problem is found.",
  usage: "[DIR]",
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {},
  notes: ["The default DIR is this folder. Nothing is run."],
  run: async (call) => (await import("../shell/validate.ts")).validateTools(call),
}

export const run: Command = {
  name: "shell run",
  summary: "Run one tool here: its questions are asked in this terminal, and its result is printed.",
  usage: "NAME [--args JSON] [--dir DIR]",
  words: { least: 1, most: 1 },
  usesDatabase: false,
  flags: {
    args: { value: "JSON|-", help: "the arguments as a JSON object, or from standard input" },
    dir: { value: "DIR", help: "the folder of the tools (default this folder)" },
    ...scriptFlags,
  },
  notes: [
    `  holdpoint shell run hello --args '{"name": "Ada"}' --dir ./tools`,
    "",
    "Without a terminal, the script cannot ask. Exit code: 0 when the tool succeeded, 1 when it returned an error.",
  ],
  run: async (call) => (await import("../shell/run-tool.ts")).runTool(call),
}
