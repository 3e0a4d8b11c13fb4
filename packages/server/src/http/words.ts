// Explains a failed connection to the person. A provider's own error texts are never shown: anyone can write them into
// an address.

import type { Reason } from "@holdpoint/hub"

const words: Readonly<Record<string, (provider: string) => string>> = {
  access_denied: (provider) => `You said no at ${provider}. Nothing was connected.`,
  interrupted: (provider) => `The connection to ${provider} was interrupted on our side. Please try again.`,
  arrived_elsewhere: (provider) =>
    `The answer from ${provider} arrived in another browser, or in one that is signed in as another person, so the attempt was stopped. Nothing was connected.`,
  other_persons_account: (provider) =>
    `The account at ${provider} does not match the one with which you signed in, so it is treated as another person’s. The access was revoked, and nothing was connected. If that account is yours, tell the administrator of this server that its e-mail address differs.`,
  unproven_account: (provider) =>
    `Nothing shows that this account at ${provider} is yours, because it has no e-mail address that can be compared with yours here, or only its user name is the same. The access was revoked, and nothing was connected. Enter the e-mail address with which you sign in here in your settings at ${provider} and try again, or tell the administrator of this server, who has to set up OAuth for ${provider}.`,
  account_held: (provider) =>
    `This account at ${provider} was not connected, because another person has connected it here. If it is yours and you did not share it, remove the app password in the security settings of ${provider}, and tell the administrator of this server.`,
  other_account: () => "That was a different account, so it was not connected.",
  identity_unavailable: (provider) => `${provider} did not say which account this is, so it was not connected.`,
  provider_unavailable: (provider) =>
    `${provider} is not answering, or its answer could not be understood. Nothing was connected.`,
  foreign_server: (provider) => `${provider} answered in the name of a different server. Nothing was connected.`,
  client_refused: (provider) =>
    `${provider} does not accept this server as a client. Tell the administrator of this server.`,
  connection_lost: (provider) => `${provider} ended the access just now, so the account has to be connected again.`,
  unauthorized: (provider) => `${provider} rejected it. Check that it is complete and still valid.`,
}

export function reasonWords({ code, message }: Reason, provider: string): string {
  const toWords = words[code]
  if (toWords !== undefined) return toWords(provider)
  return message ?? `Connecting ${provider} failed (${code.replaceAll("_", " ")}). You can try again.`
}
