// Sealed records for tests of key rotation, and a check that they still open.

import type { Storage } from "@holdpoint/hub"
import type { Sealer } from "@holdpoint/hub/sealing"
import { artifact, call, connection, dataKey, flow, revocation, signIn } from "@holdpoint/testkit/records"
import { connectionKind, flowKind, revocationKind } from "../../../../packages/accounts/src/vault/records.ts"
import { callKind } from "../../../../packages/calls/src/records.ts"
import { sealBindings } from "../../../../packages/hub/src/core/seal-bindings.ts"
import type { SealBinding } from "../../../../packages/hub/src/core/sealed.ts"
import { dataKeyKind } from "../../../../packages/hub/src/sealing/records.ts"
import { artifactKind } from "../../../../packages/server/src/identity/authorization/records.ts"
import { signInKind } from "../../../../packages/server/src/identity/records.ts"

export const secretOf = (id: string): string => `canary-secret-of-${id}`

/** Inserts one record of each kind that holds secrets, except connections. */
export async function insertOthers(storage: Storage, sealer: Sealer): Promise<void> {
  const sealedAt = (binding: SealBinding) => ({ sealed: sealer.seal(binding, { secret: secretOf(binding.record) }) })
  const [aFlow, aSignIn, aKey, aRevocation] = [flow(), signIn(), dataKey(), revocation()]
  await storage.records(flowKind).insert({ ...aFlow, ...sealedAt(sealBindings.flow(aFlow)) })
  await storage.records(signInKind).insert({ ...aSignIn, ...sealedAt(sealBindings.sign_in(aSignIn)) })
  await storage.records(dataKeyKind).insert({ ...aKey, ...sealedAt(sealBindings.data_key(aKey)) })
  await storage.records(revocationKind).insert({ ...aRevocation, ...sealedAt(sealBindings.revocation(aRevocation)) })
  const [aCall, anArtifact] = [call(), artifact()]
  await storage.records(callKind).insert({ ...aCall, ...sealedAt(sealBindings.call(aCall)) })
  await storage.records(artifactKind).insert({ ...anArtifact, ...sealedAt(sealBindings.artifact(anArtifact)) })
}

export async function insertConnections(storage: Storage, sealer: Sealer, count: number): Promise<readonly string[]> {
  const made = Array.from({ length: count }, () => {
    const plain = connection()
    const sealed = sealer.seal(sealBindings.connection(plain), { refresh_token: secretOf(plain.id) })
    return { ...plain, sealed }
  })
  await Promise.all(made.map((one) => storage.records(connectionKind).insert(one)))
  return made.map(({ id }) => id)
}

/** The refresh token of a connection, opened with these keys alone. */
export async function openedToken(storage: Storage, sealer: Sealer, id: string): Promise<string | undefined> {
  const connection = await storage.records(connectionKind).get(id)
  return connection?.sealed && sealer.open(sealBindings.connection(connection), connection.sealed).refresh_token
}
