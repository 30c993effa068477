// How one simulated node misbehaves. Everything is off at first, and stays as it was set until it is set again.

/** `hang` never answers, `cut` breaks the answer off, `garbage` answers what is not JSON, `busy` is the answer of java-tron's own limiter. */
export const ANSWER_MODES = ['normal', 'hang', 'cut', 'garbage', 'busy', '403', '429', '500', '503'] as const
export type AnswerMode = (typeof ANSWER_MODES)[number]

export interface Behaviour {
  readonly mode: AnswerMode
  /** How many calls the mode applies to; then the node is normal again. Null: until it is set again. */
  readonly times: number | null
  /** The node's solid head is this many blocks below the network's. */
  readonly behind: number
  /** From this height on, the node has other blocks. */
  readonly forkFrom: number | null
  /** The infos of these blocks are answered with `[]`, as of an empty block. */
  readonly emptyInfos: readonly number[]
  /** These blocks are answered with `{}`, as if the node did not have them. */
  readonly missingBlocks: readonly number[]
  /** These transactions are left out of blocks and infos. */
  readonly hidden: readonly string[]
}

export const WELL_BEHAVED: Behaviour = {
  mode: 'normal',
  times: null,
  behind: 0,
  forkFrom: null,
  emptyInfos: [],
  missingBlocks: [],
  hidden: [],
}
