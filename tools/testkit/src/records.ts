// Every kind of record that the library has, and a maker of records for each. Plain values; nothing is checked or sealed.

import { randomUUID } from "node:crypto"
import type { Flow, Revocation } from "@holdpoint/accounts/internal"
import { connectionKind, flowKind, oauthClientKind, revocationKind } from "@holdpoint/accounts/internal"
import type { Call } from "@holdpoint/calls/internal"
import { callKind, entryKind, workerKind } from "@holdpoint/calls/internal"
import { deadAddressKind, returnAddressKind, sentMailKind } from "@holdpoint/email/internal"
import type { Connection, DataKey } from "@holdpoint/hub/internal"
import { agendaKind, dataKeyKind, ownerKey, toOwner } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import type { ClientSession } from "@holdpoint/mcp/internal"
import { callUnderWayKind, clientSessionKind } from "@holdpoint/mcp/internal"
import type { Session } from "@holdpoint/server/identity"
import type { Artifact, Preference, SignIn } from "@holdpoint/server/internal"
import {
  artifactKind,
  personKind,
  preferenceKind,
  programKind,
  sessionKind,
  signInKind,
} from "@holdpoint/server/internal"
import { slackEventKind, slackInvitationKind, slackLinkKind, slackLinkRequestKind } from "@holdpoint/slack/internal"
import { alice, minute, sealedWith, start } from "@holdpoint/testing/internal"
import { cursorKind, endpointKind, webhookDeliveryKind } from "@holdpoint/webhooks/internal"

export {
  artifactKind,
  callKind,
  clientSessionKind,
  connectionKind,
  dataKeyKind,
  flowKind,
  preferenceKind,
  revocationKind,
  sessionKind,
  signInKind,
  slackLinkRequestKind,
}

export const allKinds: readonly RecordKind<KeptRecord>[] = [
  ...[connectionKind, flowKind, revocationKind, oauthClientKind, dataKeyKind, signInKind, sessionKind, preferenceKind],
  ...[personKind, programKind, artifactKind, callKind, entryKind, workerKind, clientSessionKind, callUnderWayKind],
  ...[slackLinkKind, slackLinkRequestKind, slackEventKind, slackInvitationKind, agendaKind],
  ...[endpointKind, webhookDeliveryKind, cursorKind],
  ...[sentMailKind, returnAddressKind, deadAddressKind],
]

const base = (): { readonly id: string; readonly tenant: string; readonly version: number } => ({
  id: randomUUID(),
  tenant: "acme",
  version: 1,
})

export function connection(more: Partial<Connection> = {}): Connection {
  return {
    ...base(),
    owner: toOwner(alice),
    provider: "calendar",
    status: "active",
    scopes: ["read", "write"],
    account: { id: "42", name: "alice@example.com" },
    hint: "…4f2a",
    sealed: sealedWith("k1"),
    expiresAt: start + minute,
    issuedAt: start,
    hasRefreshToken: true,
    lease: { holder: "node 1", until: start + 1 },
    reason: { code: "invalid_grant", message: "Taken back." },
    connectedBy: alice,
    createdAt: start,
    activatedAt: start + 1,
    lastUsedAt: start + 2,
    ...more,
  }
}

export function flow(more: Partial<Flow> = {}): Flow {
  return {
    ...base(),
    kind: "login_flow",
    elicitation: randomUUID(),
    provider: "calendar",
    context: "c1",
    by: alice,
    owner: { kind: "project", tenant: "acme", project: "site" },
    session: "hash of a session",
    browser: "hash of a cookie",
    status: "consented",
    scopes: ["read"],
    issuer: "https://provider.example",
    redirectUri: "https://hub.example/back",
    poll: { endpoint: "https://provider.example/poll" },
    connection: randomUUID(),
    createdAt: start,
    expiresAt: start + minute,
    dueAt: start + 5,
    sealed: sealedWith("k1", { verifier: "dmVyaWZpZXI" }),
    ...more,
  }
}

export function signIn(more: Partial<SignIn> = {}): SignIn {
  return {
    ...base(),
    identityProvider: "main",
    issuer: "https://id.example",
    redirectUri: "https://hub.example/in",
    browser: "hash of a cookie",
    to: "inbox",
    expiresAt: start + minute,
    sealed: sealedWith("k1", { nonce: "bm9uY2U" }),
    ...more,
  }
}

export function session(more: Partial<Session> = {}): Session {
  return {
    ...base(),
    principal: { ...alice, roles: ["admin"] },
    name: "Alice",
    agent: "A browser",
    createdAt: start,
    seenAt: start,
    expiresAt: start + minute,
    ...more,
  }
}

export function dataKey(more: Partial<DataKey> = {}): DataKey {
  return { ...base(), purpose: "answers", createdAt: start, sealed: sealedWith("k1", {}), ...more }
}

export function revocation(more: Partial<Revocation> = {}): Revocation {
  return {
    ...base(),
    connection: randomUUID(),
    provider: "calendar",
    owner: toOwner(alice),
    attempts: 0,
    dueAt: start + minute,
    createdAt: start,
    lastProblem: "503",
    sealed: sealedWith("k1"),
    ...more,
  }
}

export function call(more: Partial<Call> = {}): Call {
  return {
    ...base(),
    owner: ownerKey(toOwner(alice)),
    round: 1,
    lease: { holder: "request 1", worker: "node 1" },
    createdAt: start,
    expiresAt: start + minute,
    sealed: sealedWith("k1", { journal: "am91cm5hbA" }),
    ...more,
  }
}

export function clientSession(more: Partial<ClientSession> = {}): ClientSession {
  return { ...base(), prompts: [randomUUID(), randomUUID()], isEnded: false, expiresAt: start + minute, ...more }
}

export function artifact(more: Partial<Artifact> = {}): Artifact {
  return {
    ...base(),
    kind: "AccessToken",
    group: "grant 1",
    consumedAt: start + 1,
    expiresAt: start + minute,
    sealed: sealedWith("k1", { payload: "cGF5bG9hZA" }),
    ...more,
  }
}

export function preference(more: Partial<Preference> = {}): Preference {
  const principal = { tenant: "acme", issuer: "https://login.example", subject: "alice" }
  return { ...base(), principal, name: "confirm delete", value: "always", setAt: start, ...more }
}
