// For programs that a test starts with few variables: where Node keeps what it has compiled. Reading TypeScript anew is
// half of what such a program costs.

const { NODE_COMPILE_CACHE: folder } = process.env

export const compiled: Readonly<Record<string, string>> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
