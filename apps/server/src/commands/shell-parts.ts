// `holdpoint shell init`, `validate` and `run`: to write scripts and to try them, without a client.

import type { Command } from "../command.ts"
import { scriptFlags } from "./shell.ts"

export const init: Command = {
  name: "shell init",
  summary: "Make a folder with a tool that asks, as a start for your own. Overwrites nothing.",
  usage: "[DIR]",
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {},
  notes: ["DIR is ./tools unless you name another."],
  run: async (call) => (await import("../shell/init.ts")).initTools(call),
}

export const validate: Command = {
  name: "shell validate",
  summary: "List the tools of a folder, and everything that is wrong with them. Exit code 1 when something is.",
  usage: "[DIR]",
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {},
  notes: ["DIR is this folder unless you name another. Nothing is run."],
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
    "Without a terminal the script is told that it cannot ask. Exit code: 0 the tool's result, 1 an error.",
  ],
  run: async (call) => (await import("../shell/run-tool.ts")).runTool(call),
}
