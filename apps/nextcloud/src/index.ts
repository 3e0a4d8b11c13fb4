// The parts of the Nextcloud MCP server, for programs that serve it themselves.

export type { Accounts } from "./accounts/accounts.ts"
export { createSingleAccount } from "./accounts/single.ts"
export { createVaultAccounts } from "./accounts/vault.ts"
export { draftWords } from "./consent/texts.ts"
export type { Choices, Policies } from "./policy.ts"
export { createPolicies, isPolicy } from "./policy.ts"
export { scopeWords } from "./scopes.ts"
export { createNextcloudServer } from "./server.ts"
export type { Policy, Tool, Toolset } from "./tool.ts"
export { toolsets } from "./tool.ts"
export type { Choice } from "./tool-selection.ts"
export { choicesAbout, defaultToolsets, scopesOfTool, toolNames } from "./tool-selection.ts"
