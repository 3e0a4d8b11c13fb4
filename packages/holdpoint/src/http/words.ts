// Explains a failed connection to the person. A provider's own error texts are never shown: anyone can write them into
// an address.

import type { Reason } from "../core/elicitation.ts"

const words: Readonly<Record<string, (provider: string) => string>> = {
  access_denied: (provider) => `You said no at ${provider}. Nothing was connected.`,
  interrupted: (provider) => `The connection to ${provider} was interrupted on our side. Please try again.`,
  arrived_elsewhere: (provider) =>
    `The answer of ${provider} arrived in another browser, or where you are not signed in as yourself, so that attempt was ended. Nothing was connected.`,
  other_persons_account: (provider) =>
    `Access to somebody else’s account was granted at ${provider}: it has neither your user id nor your e-mail address. It was given back, and nothing was connected. If that account is yours, tell the administrator of this server that its e-mail address differs.`,
  account_held: (provider) =>
    `This account at ${provider} was not connected, since somebody else has connected it here. If it is yours and you did not share it, remove the app password in the security settings of ${provider}, and tell the administrator of this server.`,
  other_account: () => "That was another account, and it was not connected.",
  identity_unavailable: (provider) => `${provider} did not tell which account this is, so it was not connected.`,
  provider_unavailable: (provider) =>
    `${provider} does not answer at the moment, or not as it should. Nothing was connected.`,
  foreign_server: (provider) =>
    `${provider} answered for another server than the one that was asked. Nothing was connected.`,
  client_refused: (provider) => `${provider} does not accept this server as a client. Tell whoever runs it.`,
  connection_lost: (provider) =>
    `${provider} has ended the access in this moment, so that it has to be connected again.`,
  unauthorized: (provider) => `${provider} does not accept it. Check that it is complete and still valid.`,
}

export function reasonWords({ code, message }: Reason, provider: string): string {
  const known = words[code]
  if (known !== undefined) return known(provider)
  return message ?? `It did not work out with ${provider} (${code.replaceAll("_", " ")}). You can try again.`
}
