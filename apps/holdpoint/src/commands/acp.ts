// `holdpoint acp`: an agent of the settings for editors that speak the Agent Client Protocol, on stdio.

import type { Command } from "../command.ts"

export const acp: Command = {
  name: "acp",
  summary: "Run a configured agent in an editor (Zed and others), on stdio.",
  usage: "[--agent NAME] [flags]",
  words: { least: 0, most: 0 },
  usesDatabase: false,
  flags: {
    agent: { value: "NAME", help: "the name of a configured agent (default agents.default, or the only agent)" },
    as: { value: "SUBJECT", help: "who you are (default the machine's user)" },
    database: {
      value: "PATH|URL",
      help: "where sessions are kept (default .holdpoint/holdpoint.db beside the settings)",
    },
    "key-file": { value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
    config: { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" },
  },
  notes: [
    "Add the command to your editor's settings, with the path of your settings file. For Zed:",
    '  "agent_servers": { "Helper": { "type": "custom", "command": "npx",',
    '    "args": ["holdpoint", "acp", "--agent", "helper", "--config", "/path/to/holdpoint.config.ts"] } }',
    "",
    "The agent asks in the editor: forms, links, and permission for the calls that you approve one by one.",
    "What the editor cannot show becomes a link in the chat. When you close the editor, sessions are kept and questions",
    "stay open.",
  ],
  run: async (call) => (await import("../acp/run.ts")).runAcp(call),
}
