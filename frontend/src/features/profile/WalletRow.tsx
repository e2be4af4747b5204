import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Flex, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isComposing } from '@orange-id/contract/typed.key';
import { linkingPath, type LinkingRequest } from '../../api/account/linking.path';
import { inspected } from '../../inspect/machine.inspect';
import { CopyValue } from '../../ui/CopyValue';
import { Field } from '../../ui/Field';
import { LinkButton } from '../../ui/LinkButton';
import { shortAddress } from '../../ui/short.address';
import { walletEditMachine } from './wallet.edit.machine';
import type { Wallet } from './wallets';
import styles from './profile.module.css';

interface WalletRowProps {
  wallet: Wallet;
  /** Whether this is the account's only sign-in method, which can't be removed. */
  isOnly: boolean;
}

/** A wallet: its address, shortened by default, and a form to replace it. */
export function WalletRow({ wallet: { chain, address }, isOnly }: WalletRowProps) {
  const [isWhole, setWhole] = useState(false);
  const navigate = useNavigate();
  const edit = useActorRef(walletEditMachine, { ...inspected, input: { address } });
  const snapshot = useSelector(edit, (current) => current);
  const { draft, isRefused } = snapshot.context;
  const input = useRef<InputRef>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const short = shortAddress(address);
  const requestToRemove: LinkingRequest = { remove: { provider: 'wallet', label: address } };
  const isViewing = snapshot.can({ type: 'edit.open' });

  useEffect(() => {
    const wanted = edit.on('proof.wanted', ({ address: wallet }) => {
      void navigate(linkingPath, { state: { wallet } satisfies LinkingRequest });
    });
    return () => wanted.unsubscribe();
  }, [edit, navigate]);

  const wasViewing = useRef(isViewing);
  useEffect(() => {
    if (wasViewing.current === isViewing) return;
    wasViewing.current = isViewing;
    if (isViewing) editButton.current?.focus();
    else input.current?.focus();
  }, [isViewing]);

  return (
    <div className="rows-block" data-machine="walletEdit" data-state={snapshot.value}>
      {isViewing ? (
        <>
          <Flex wrap gap={8} align="center" justify="space-between">
            <strong>{chain}</strong>
            <Flex wrap gap={8} align="center">
              {chain === 'Ethereum' && (
                <Button
                  ref={editButton}
                  aria-label={`Edit wallet ${short}`}
                  onClick={() => edit.send({ type: 'edit.open' })}
                >
                  Edit
                </Button>
              )}
              {isOnly ? (
                <span className="note">Your only sign-in method</span>
              ) : (
                <LinkButton to={linkingPath} state={requestToRemove}>
                  Disconnect <span className="visually-hidden">wallet {short}</span>
                </LinkButton>
              )}
            </Flex>
          </Flex>
          <CopyValue value={address} shown={isWhole ? address : short} label={`wallet address ${short}`}>
            {short !== address && (
              <Button
                type="text"
                icon={isWhole ? <EyeInvisibleOutlined /> : <EyeOutlined />}
                aria-label={`${isWhole ? 'Hide' : 'View'} full wallet address ${short}`}
                aria-pressed={isWhole}
                onClick={() => setWhole((before) => !before)}
              >
                {isWhole ? 'Hide' : 'View'}
              </Button>
            )}
          </CopyValue>
        </>
      ) : (
        <form
          className="rows-block"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            edit.send({ type: 'edit.confirm' });
            input.current?.focus();
          }}
        >
          <Field
            label="Wallet address"
            help="Next, you’ll sign a message with this wallet to prove you own it."
            error={isRefused ? 'Address is invalid.' : null}
          >
            {(control) => (
              <Input
                {...control}
                ref={input}
                className={styles.walletInput}
                autoComplete="off"
                autoCapitalize="off"
                autoCorrect="off"
                spellCheck={false}
                value={draft}
                onChange={({ target }) => edit.send({ type: 'draft.change', text: target.value })}
                onKeyDown={({ key, nativeEvent }) => {
                  if (key === 'Escape' && !isComposing(nativeEvent)) edit.send({ type: 'edit.cancel' });
                }}
              />
            )}
          </Field>
          <Flex wrap gap={8}>
            <Button type="primary" htmlType="submit">
              Confirm
            </Button>
            <Button onClick={() => edit.send({ type: 'edit.cancel' })}>Cancel</Button>
          </Flex>
        </form>
      )}
    </div>
  );
}
