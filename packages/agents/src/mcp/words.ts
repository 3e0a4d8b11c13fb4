// The outputs for a model when an account is missing. The first sentence of each must not change, because other
// programs and prompts match it.

/** The output when the account is missing in a run that cannot ask its person. */
export const authenticationRequired = (tool: string, service: string, account: string): string =>
  `Tool ${tool} requires user authentication. The user needs to connect their ${service} account before this tool can be used. ` +
  `They connect it at ${account}. Calling again before that is useless.`

/** The output when the person was asked and did not connect the account. */
export const notProvided = (service: string, account: string): string =>
  `Authentication required but not provided. The user can connect ${service} at ${account}. ` +
  "Calling again is useless until they have."

/** The output when a program began the run without a person. */
export const noPerson = (tool: string, service: string): string =>
  `Tool ${tool} requires user authentication. The user needs to connect their ${service} account before this tool can be used. ` +
  "A program made this call without a person, so there is no account to connect. Calling again is useless."
