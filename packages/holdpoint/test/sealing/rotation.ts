// Sealed records for tests of key rotation, and a check that they still open.

import { artifact, call, connection, dataKey, flow, revocation, signIn } from "@holdpoint/testkit/records"
import { callKind } from "../../src/asking/records.ts"
import { sealBindings } from "../../src/core/seal-bindings.ts"
import type { SealBinding } from "../../src/core/sealed.ts"
import { artifactKind } from "../../src/identity/authorization/records.ts"
import { signInKind } from "../../src/identity/records.ts"
import type { Sealer } from "../../src/ports/sealer.ts"
import type { Storage } from "../../src/ports/storage.ts"
import { dataKeyKind } from "../../src/sealing/records.ts"
import { connectionKind, flowKind, revocationKind } from "../../src/vault/records.ts"

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
