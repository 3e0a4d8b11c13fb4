// The seam between the one SQL implementation and an engine. An engine runs text and knows transactions and wake-ups;
// it knows nothing of elicitations.

export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>
export type Sql = (text: string, values: readonly Value[]) => Promise<readonly Row[]>

/** A statement and the rows it takes as input; an engine runs it once for all rows or once for each, as suits it. */
export interface Statement {
  readonly text: string
  readonly rows: readonly InputRow[]
  /**
   * What is told of each row that took effect: its id, or the position that it was given. Where a row with an id took
   * none, rows of its stamp are left out of the statements after it.
   */
  readonly gives?: "id" | "position"
}

export type InputRow = Readonly<Record<string, Value>>

export interface Database {
  readonly dialect: Dialect
  /** Reads what is committed. */
  readonly query: Sql
  /**
   * Runs the statements as one durable transaction that no other writer overlaps, then wakes other processes. Resolves
   * with the rows of each. Rejects having changed nothing, or as `store_unavailable`: then it may have taken effect.
   */
  commit(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  /** Runs with every other process locked out, as one transaction: for migrations. */
  exclusively(work: (sql: Sql) => Promise<void>): Promise<void>
  /** Calls back after another process has committed, and after a time in which that could have been missed. */
  onForeignCommit(callback: () => void): () => void
  close(): Promise<void>
}

/** Where the two engines' SQL differs. */
export interface Dialect {
  /** Put before every table name, with its dot. */
  readonly schema: string
  readonly identity: string
  /** Ends the definition of a table that is kept in the order of its key. */
  readonly clustered: string
  /** Follows a column's type: its text is in the order of its bytes. */
  readonly bytewise: string
  /** One row if there is a table of the name $1. */
  readonly hasTable: string
  /**
   * True where the engine itself tells what a statement `gives` and leaves out what must not follow. Else its text does,
   * by RETURNING and by looking for the stamp that only a winner has left.
   */
  readonly isWatched: boolean
  /** The FROM item that stands for all input rows, called r; empty where a statement runs once for each. */
  readonly input: string
  /** A member of an input row, as text or as an integer. */
  readonly text: (member: string) => string
  readonly integer: (member: string) => string
  /** True of a column whose text is in a JSON array of strings; found by an index that has more columns, too. */
  readonly isAmong: (column: string, json: string) => string
  /** True of a column that a query gives. The query is run first, and what it gives is found by an index. */
  readonly isIn: (column: string, query: string) => string
  /** A member of the JSON text in a column, as text. */
  readonly member: (column: string, member: string) => string
  /** The FROM item that turns a JSON array of strings into rows with one column, `item`. */
  readonly items: (json: string, alias: string) => string
}
