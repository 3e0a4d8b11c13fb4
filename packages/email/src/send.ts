// Sends one mail by SMTP, and classifies refusals of the server. Errors contain the code and the step, never the
// server's text, which may contain addresses, names or the password that was tried.

import { HoldpointError } from "@holdpoint/hub"
import { createTransport, type SendMailOptions } from "nodemailer"

/** A mail server, as its address and, for a private authority, its certificate. */
export interface SmtpServer {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the beginning. */
  readonly url: string
  /** The certificate of a private authority, in PEM. */
  readonly ca?: string
}

/**
 * The result of sending a mail. `dead`: the address does not exist. `refused`: the server will never accept this mail.
 * Other failures are thrown.
 */
export type SendResult =
  | { readonly state: "accepted" }
  | { readonly state: "dead" | "refused"; readonly status: string; readonly why: string }

export type Send = (mail: SendMailOptions, signal: AbortSignal) => Promise<SendResult>

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** Creates the function that sends mails. Checks the server's address now, and connects for each mail. */
export function createSend(server: SmtpServer): Send {
  const transport = createTransport({
    ...toConnection(server),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (mail, signal) => {
    try {
      await transport.sendMail({ ...mail, signal })
      return { state: "accepted" }
    } catch (error) {
      return judge(error as SmtpFailure)
    }
  }
}

/** The members of nodemailer's errors that `judge` uses. */
export interface SmtpFailure {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

/** Classifies a failure. Throws for a failure that may be temporary, so that the delivery is retried later. */
export function judge({ code, responseCode, response = "", command = "" }: SmtpFailure): SendResult {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const status = enhanced ?? String(responseCode ?? code ?? "unknown")
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503
  if (isPermanent && command === "RCPT TO") {
    const isDead = enhanced === undefined ? [550, 551, 553].includes(responseCode) : deadStatus.test(enhanced)
    if (isDead) return { state: "dead", status, why: `the mail server does not know the address (${status})` }
    return { state: "refused", status, why: `the mail server refuses e-mails to the address (${status})` }
  }
  if (isPermanent && command === "DATA")
    return { state: "refused", status, why: `the mail server refuses the mail (${status})` }
  throw new Error(failureWords(command, status))
}

/** RFC 3463: 5.1.1 to 5.1.3, 5.1.6, 5.1.10 (RFC 7505) are bad addresses, 5.2.1 is a closed mailbox. */
const deadStatus = /^5\.(?:1\.(?:[1236]|10)|2\.1)$/

function failureWords(command: string, status: string): string {
  if (/^AUTH|^API/.test(command))
    return `The mail server refuses the user name or password (${status}). Check SMTP_URL.`
  if (command === "MAIL FROM") return `The mail server refuses the sender (${status}). Check email.from.`
  if (command === "STARTTLS") return `The mail server offers no valid TLS (${status}). Check SMTP_URL.`
  return `The mail server did not accept the mail (${status}${command === "" ? "" : ` at ${command}`}).`
}

function toConnection({ url, ca }: SmtpServer) {
  const address = URL.parse(url)
  if (
    address === null ||
    !/^smtps?:$/.test(address.protocol) ||
    address.hostname === "" ||
    /^\/./.test(address.pathname)
  )
    throw new HoldpointError(
      "invalid_config",
      "The address of the mail server must look like smtp://user:password@host:587 or smtps://user:password@host.",
    )
  const secure = address.protocol === "smtps:"
  const auth =
    address.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) } }
  const host = address.hostname.replace(/^\[|\]$/g, "")
  return {
    ...{ host, port: address.port === "" ? (secure ? 465 : 587) : Number(address.port), secure, ...auth },
    // TLS is required by default: otherwise an attacker on the network could read passwords and questions, or remove
    // the server's offer of STARTTLS.
    requireTLS: !secure && !isThisMachine(host) && address.searchParams.get("requireTLS") !== "false",
    ...(ca === undefined ? {} : { tls: { ca } }),
  }
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host)
