// The entry for sealing: keys, the sealed storage, and key rotation. Loads no network code.

export type { Sealer, Tokens } from "../ports/sealer.ts"
export { checkKeys, hasKeys, whatIsWrong } from "./canary.ts"
export { changeKeyFile, createKeyFile, keyFileBeside, openKeyFile, readKeyFile } from "./key-file.ts"
export type { KeyRing } from "./key-ring.ts"
export { parseKeyRing, serializeKeyRing, withNewKey, withoutKeys } from "./key-ring.ts"
export type { KeyUse } from "./rewrap.ts"
export { keyStatus, rewrapAll } from "./rewrap.ts"
export { createSealer } from "./seal.ts"
export { sealStorage } from "./sealed-storage.ts"
export { createTokens } from "./tokens.ts"
