// Who belongs to the company, and who is invited.
import { useMemo } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { Invite, InvitationsPanel } from '~/features/people/invitations-panel.tsx'
import { PeoplePanel } from '~/features/people/people-panel.tsx'
import { type PeopleSource, ROLE_MEANINGS } from '~/features/people/source.ts'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'

export default function Team() {
  const { client, company, may } = useWorkplace()
  const source = useMemo(
    (): PeopleSource => ({
      name: 'own',
      roles: ['owner', 'developer', 'finance', 'viewer'],
      people: (query, options) => client.team.people(query, options),
      invitations: (query, options) => client.team.invitations(query, options),
      invite: (invitation) => client.team.invite(invitation),
      revokeInvitation: (id) => client.team.revokeInvitation(id),
      changeRole: (id, role) => client.team.changeRole(id, { role }),
      remove: (id) => client.team.remove(id),
      reset: (id, options) => client.team.reset(id, options),
    }),
    [client],
  )
  const mayChange = may('people:write')
  return (
    <>
      <PageHeading title="Team" actions={mayChange ? <Invite source={source} /> : null}>
        People with access to {company?.name ?? 'the company'}. Roles apply in sandbox and live.
      </PageHeading>
      <Stack>
        <PeoplePanel source={source} mayChange={mayChange} />
        {mayChange ? <InvitationsPanel source={source} mayChange={mayChange} /> : null}
        <Panel title="Roles">
          <Facts facts={source.roles.map((role) => [ROLE_MEANINGS[role].title, ROLE_MEANINGS[role].text])} />
        </Panel>
      </Stack>
    </>
  )
}
