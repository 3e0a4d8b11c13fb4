// The compile cache of Node, for programs that a test starts with few environment variables. Compiling TypeScript again
// is half of the cost of such a program.

const { NODE_COMPILE_CACHE: folder } = process.env

export const compiled: Readonly<Record<string, string>> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
