// Which addresses webhooks may have, by the settings.

import type { Settings } from "./config.ts"

/** Where events may be sent to. Without identity providers only this machine reaches the server: it may reach itself. */
export const webhookNetworkOf = ({ webhooks, identityProviders }: Settings): Settings["webhooks"] => ({
  allowLoopback: identityProviders.length === 0,
  ...webhooks,
})
