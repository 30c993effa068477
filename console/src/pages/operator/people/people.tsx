// Who works for the programme, who is invited, and the operator tokens that programs use.
import { useMemo } from 'react'
import { api } from '~/api/client.ts'
import { Invite, InvitationsPanel } from '~/features/people/invitations-panel.tsx'
import { PeoplePanel } from '~/features/people/people-panel.tsx'
import type { PeopleSource } from '~/features/people/source.ts'
import { PageHeading, Stack } from '~/ui/page.tsx'
import { useIsOperator } from '~/pages/operator/use-is-operator.ts'
import { Tokens } from './tokens.tsx'

export default function ProgrammePeople() {
  const isOperator = useIsOperator()
  const source = useMemo(
    (): PeopleSource => ({
      name: 'of the programme',
      roles: ['operator', 'support'],
      people: (query, options) => api.admin.people.list(query, options),
      invitations: (query, options) => api.admin.invitations.list(query, options),
      invite: (invitation) => api.admin.invitations.create(invitation),
      revokeInvitation: (id) => api.admin.invitations.revoke(id),
      changeRole: (id, role) => api.admin.people.changeRole(id, { role }),
      remove: (id) => api.admin.people.remove(id),
      reset: (id, options) => api.admin.people.reset(id, options),
    }),
    [],
  )
  return (
    <>
      <PageHeading title="People and tokens" actions={isOperator ? <Invite source={source} /> : null}>
        People and scripts with access to the whole programme. Owners invite the people of their companies.
      </PageHeading>
      <Stack>
        <PeoplePanel source={source} mayChange={isOperator} />
        <InvitationsPanel source={source} mayChange={isOperator} />
        <Tokens isOperator={isOperator} />
      </Stack>
    </>
  )
}
