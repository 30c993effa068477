// What the kinds and states of holders mean.
import type { Holder, HolderKind, HolderStatus } from '@cardstock/sdk'

export const KINDS: Readonly<Record<HolderKind, string>> = { individual: 'Person', corporate: 'Company' }

/** Why a holder cannot get a card now; undefined for one who can. */
export const OBSTACLES: Readonly<Record<HolderStatus, string | undefined>> = {
  active: undefined,
  pending: 'The operator has not approved this holder yet. Until then, you cannot issue cards for them.',
  blocked: 'This holder is blocked and cannot get a card. Ask the operator why.',
  inactive: 'This holder is inactive and cannot get a card. If that is a mistake, ask the operator.',
}

/** Instead of the obstacle, if the personal data was erased. */
export const ERASED: Readonly<Record<NonNullable<Holder['erasure']>, string>> = {
  running: 'The personal data of this holder was erased. Older records are being cleared.',
  completed: 'The personal data of this holder was erased.',
}
