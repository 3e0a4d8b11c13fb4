// What a model is told when an account is missing. The first sentence of each is fixed: programs and prompts of others
// know it.

/** The person cannot be asked here. */
export const authenticationRequired = (tool: string, service: string, account: string): string =>
  `Tool ${tool} requires user authentication. The user needs to connect their ${service} account before this tool can be used. ` +
  `They connect it at ${account}. Calling again before that is useless.`

/** The person was asked, and did not connect. */
export const notProvided = (service: string, account: string): string =>
  `Authentication required but not provided. The user can connect ${service} at ${account}. ` +
  "Calling again is useless until they have."

/** A program without a person called. */
export const noPerson = (tool: string, service: string): string =>
  `Tool ${tool} requires user authentication. The user needs to connect their ${service} account before this tool can be used. ` +
  "A program called here without a person, so that there is no account to connect. Calling again is useless."
