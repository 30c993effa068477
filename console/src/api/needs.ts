// What a page or an action needs: a right of the person's role.
import type { Scope } from '@cardstock/sdk'

/** A right of a company's role in the chosen environment, or the role that programme pages need. */
export type Needs = Scope | MemberRight | 'programme'

/** Rights that only people have, never keys. */
type MemberRight = 'people:read' | 'people:write' | 'keys:read' | 'keys:write'
