// The command for other command lines, which parse flags and print output themselves.

export type {
  Call,
  ExitCode,
  Flag,
  Flags,
  Given,
  Output,
  Styled,
  Surroundings,
} from "./call.ts"
export type { CheckCommand } from "./command.ts"
export { createCommand } from "./command.ts"
export type { CommandFailure } from "./failure.ts"
export { isCommandFailure } from "./failure.ts"
