import { Button, Card, Flex, Typography } from 'antd';
import { Link } from 'react-router-dom';
import { useConnectedWallets } from '../../api/projects/get.wallets';
import { Ago } from '../../ui/Ago';
import { CopyButton } from '../../ui/CopyButton';
import { LoadFailure, QueryFailure } from '../../ui/LoadFailure';
import { formatCount } from '../../ui/number.text';
import { shortAddress } from '../../ui/short.address';

/** The wallets connected with the key of a project, most recently connected first. */
export function ConnectedWallets({ code }: { code: string }) {
  const query = useConnectedWallets(code);
  const { data, error, isFetchingNextPage, isFetchNextPageError, hasNextPage, fetchNextPage } = query;
  const wallets = data?.pages.flatMap((page) => page.wallets) ?? [];
  const total = data?.pages[0]?.total;
  return (
    <Card>
      <Flex component="section" vertical gap={8} aria-labelledby="wallets-title">
        <h3 id="wallets-title">
          Connected wallets<span>{total ? ` (${formatCount(total)})` : ''}</span>
        </h3>
        {error && !data ? (
          <QueryFailure title="Failed to load connected wallets" query={query} />
        ) : wallets.length === 0 ? (
          <Typography.Text type="secondary">
            {data ? (
              <>
                No wallet is connected yet. Your site connects one with a signed message:{' '}
                <Link to="/docs#reference-wallet-message">how to connect a wallet</Link>.
              </>
            ) : (
              '\u00a0'
            )}
          </Typography.Text>
        ) : (
          <ul className="rows rows-dense">
            {wallets.map(({ address, firstConnectedAt, lastConnectedAt }) => (
              <li key={address}>
                <code className="rows-words" title={address}>
                  {shortAddress(address)}
                </code>
                <span className="note">
                  Connected <Ago iso={lastConnectedAt} />
                  {firstConnectedAt !== lastConnectedAt && (
                    <>
                      , first <Ago iso={firstConnectedAt} />
                    </>
                  )}
                </span>
                <CopyButton
                  text={address}
                  label={`address ${shortAddress(address)}`}
                  type="text"
                  size="small"
                  iconOnly
                />
              </li>
            ))}
          </ul>
        )}
        {isFetchNextPageError && (
          <LoadFailure
            title="Failed to load more wallets"
            error={error}
            isRetrying={isFetchingNextPage}
            onRetry={() => void fetchNextPage()}
          />
        )}
        {hasNextPage && !isFetchNextPageError && (
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
      </Flex>
    </Card>
  );
}
