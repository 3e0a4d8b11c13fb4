// A real SMTP server for tests, which keeps what it accepts, and does what a test says: refuses, fails, hangs up.

import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import type { Certificate } from "./certificate.ts"
import { parseMail, type ReceivedMail } from "./received.ts"

export interface MailServer {
  readonly url: string
  /** What was accepted, in order. */
  readonly mails: readonly ReceivedMail[]
  /** The envelopes of what was accepted. */
  readonly envelopes: readonly { readonly from: string; readonly to: readonly string[]; readonly isTls: boolean }[]
  close(): Promise<void>
}

export interface MailServerOptions {
  /** Offers STARTTLS with this certificate. */
  readonly certificate?: Certificate
  readonly login?: { readonly user: string; readonly password: string }
  /** Answers instead of accepting the recipient: a code and words. */
  readonly refuse?: (address: string) => Refusal | undefined
  /** Answers instead of accepting the mail. */
  readonly refuseData?: () => Refusal | undefined
  /** `before`: hangs up without keeping the mail. `after`: keeps it, and hangs up before it says so. */
  readonly hangUp?: () => "before" | "after" | undefined
}

export type Refusal = readonly [code: number, words: string]

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { certificate, login, refuse, refuseData, hangUp } = options
  const mails: ReceivedMail[] = []
  const envelopes: { from: string; to: readonly string[]; isTls: boolean }[] = []
  const sockets = new Map<string, () => void>()
  const server = new SMTPServer({
    ...(certificate === undefined ? { hideSTARTTLS: true, disabledCommands: ["STARTTLS"] } : certificate),
    authOptional: login === undefined,
    allowInsecureAuth: false,
    hidePIPELINING: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password
      if (isRight) done(null, { user: username })
      else done(failure([535, "5.7.8 wrong name or password"]))
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refuse?.(address)
      done(refusal === undefined ? null : failure(refusal))
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream).then(
        (bytes) => bytes.toString("utf8"),
        () => undefined,
      )
      // The client died in the middle of its mail.
      if (raw === undefined) return done(failure([451, "4.4.2 the mail is not whole"]))
      const refusal = refuseData?.()
      if (refusal !== undefined) return done(failure(refusal))
      const when = hangUp?.()
      if (when !== "before") {
        const { mailFrom, rcptTo } = session.envelope
        mails.push(parseMail(raw))
        const from = mailFrom === false ? "" : mailFrom.address
        envelopes.push({ from, to: rcptTo.map(({ address }) => address), isTls: session.secure })
      }
      if (when === undefined) done(null)
      else for (const end of sockets.values()) end()
    },
  })
  server.on("error", () => {})
  server.server.on(
    "connection",
    (socket: { destroy(): void; remotePort?: number; on(e: "close", f: () => void): void }) => {
      const name = String(socket.remotePort)
      sockets.set(name, () => socket.destroy())
      socket.on("close", () => sockets.delete(name))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as AddressInfo
  const who = login === undefined ? "" : `${login.user}:${encodeURIComponent(login.password)}@`
  return {
    url: `smtp://${who}${certificate === undefined ? "127.0.0.1" : "localhost"}:${port}`,
    mails,
    envelopes,
    close: () =>
      new Promise((resolve) => {
        for (const end of sockets.values()) end()
        server.close(() => resolve())
      }),
  }
}

function failure([code, words]: Refusal): Error {
  return Object.assign(new Error(words), { responseCode: code })
}
