// The keys of a company, as the operator manages them in both environments.
import { Button } from '@mantine/core'
import type { ApiKey, Company, CreatedApiKey } from '@cardstock/sdk'
import { useMemo, useState } from 'react'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { CreateKey } from '~/features/keys/create-key.tsx'
import { CreatedKey, KeysTable } from '~/features/keys/keys-table.tsx'
import type { KeySource } from '~/features/keys/source.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, OnlyNewest } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import type { Column } from '~/ui/table.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'

/** A company has few keys; the newest are the ones in use. */
const SHOWN_MAX = 100

const ENVIRONMENT: Column<ApiKey> = {
  title: 'Environment',
  show: ({ environment }) => <EnvironmentBadge value={environment} />,
}

function SaveKeys({ companyId }: { companyId: string }) {
  return (
    <ExportCsv
      title="API keys"
      size="xs"
      read={(_client, filter, options) => api.admin.keys.list(companyId, filter, options)}
      filter={{}}
    />
  )
}

export function CompanyKeys({ company, isOperator }: { company: Company; isOperator: boolean }) {
  const { id } = company
  const source = useMemo(
    (): KeySource => ({
      name: `of ${id}`,
      mayGive: () => true,
      list: (query, options) => api.admin.keys.list(id, query, options),
      create: (key) => api.admin.keys.create(id, key),
      rotate: (keyId, rotation) => api.admin.keys.rotate(id, keyId, rotation),
      revoke: (keyId) => api.admin.keys.revoke(id, keyId),
    }),
    [id],
  )
  const query = useData('keys', [source.name], (_client, options) => source.list({ limit: SHOWN_MAX }, options))
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey>()
  const create = isOperator ? (
    <Button size="xs" variant="default" onClick={() => setCreating(true)}>
      Create key
    </Button>
  ) : undefined
  return (
    <Panel
      title="API keys"
      isFlush
      actions={
        <PanelActions>
          <SaveKeys companyId={id} />
          {create}
        </PanelActions>
      }
    >
      <Loaded query={query}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <Empty icon="key" title="No keys yet">
              The company&rsquo;s programs call the API with a key.
            </Empty>
          ) : (
            <>
              <KeysTable source={source} keys={data} mayChange={isOperator} extra={[ENVIRONMENT]} />
              {nextCursor === null ? null : <OnlyNewest count={SHOWN_MAX} />}
            </>
          )
        }
      </Loaded>
      {isCreating ? (
        <CreateKey
          source={source}
          close={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      ) : null}
      {created === undefined ? null : <CreatedKey created={created} close={() => setCreated(undefined)} />}
    </Panel>
  )
}
