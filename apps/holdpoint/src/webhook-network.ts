// The addresses that webhooks may be sent to, from the settings.

import type { Settings } from "./config.ts"

/** Without identity providers only this machine can reach the server, so webhooks to this machine are allowed. */
export const webhookNetworkOf = ({ webhooks, identityProviders }: Settings): Settings["webhooks"] => ({
  allowLoopback: identityProviders.length === 0,
  ...webhooks,
})
