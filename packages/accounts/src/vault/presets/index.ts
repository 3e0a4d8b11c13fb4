// Presets: functions from a program's own client to the provider's data.

export { atlassian } from "./atlassian.ts"
export type { ClientOptions } from "./client.ts"
export { defineProvider } from "./define.ts"
export { type ApiKeyOptions, apiKey, basic } from "./entered.ts"
export { type GithubOptions, github } from "./github.ts"
export { google } from "./google.ts"
export { type LinearOptions, linear } from "./linear.ts"
export { mcpServer } from "./mcp-server.ts"
export { type MicrosoftOptions, microsoft } from "./microsoft.ts"
export {
  type NextcloudClient,
  type NextcloudServer,
  nextcloudLogin,
  nextcloudOAuth,
  nextcloudOidc,
} from "./nextcloud.ts"
export { notion } from "./notion.ts"
export { type OidcOptions, oidc } from "./oidc.ts"
export { type SlackOptions, slack } from "./slack.ts"
