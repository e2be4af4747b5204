import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { titleOf } from '@orange-id/contract/appearance.derived';
import { createCache, StyleProvider } from '@ant-design/cssinjs';
import { signInByPopup } from '@orange-id/contract/sign-in.popup';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, ConfigProvider } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { logoOf, mergedAppearance, pictureUrl } from './appearance.look';
import { EmailForm } from './EmailForm';
import { FailureAlert } from './FailureAlert';
import { isAskedElsewhere } from './identity.addresses';
import { createLoginActors } from './login.actors';
import { loginMachine } from './login.machine';
import { classes, isOnlyMethod, type LoginPanelProps } from './login.props';
import { directionOf, LegalLinks, useFont, withLook } from './panel.look';
import { iconPrefixCls, loginTheme, prefixCls, themeKey } from './login.theme';
import type { LoginEvent, LoginMethod } from './login.types';
import { MethodChoice } from './MethodChoice';
import { useMotion, usePageAppearance } from './page.appearance';
import { markThisTab, useBedrockPassport, useInternals, type PassportInternals } from './passport.context';
import { panelTitle, toChoice } from './panel.text';
import { useSavedLook } from './saved.look';
import { useWallets } from './wallet.list';
import { WalletChoice } from './WalletChoice';
import { ResetForm, ResetSent } from './ResetForm';
import { WalletPairing } from './WalletPairing';
import { SignInProgress } from './SignInProgress';
import { forgetTypedEmail } from './typed.email';
import { useViewHistory } from './view.history';
import './widget.css';

/** Scopes the widget's styles, so that they don't affect a page that uses the same library. */
const styleCache = createCache();
let panelCount = 0;

/** Nested states joined by dots. */
const stateName = (value: string | object): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as Record<string, string | object>)
        .map(([parent, child]) => `${parent}.${stateName(child)}`)
        .join(' ');

/** The login widget: a choice of methods, email and password, or a wallet's signature. */
export function LoginPanel(props: LoginPanelProps) {
  const internals = useInternals();
  const { widgetUrl } = useBedrockPassport();
  const purpose = props.purpose ?? 'signIn';
  const isElsewhere =
    props.purpose === undefined && isAskedElsewhere(internals.settings, window.location, widgetUrl);
  const saved = useSavedLook(internals.settings, internals.client);
  const own = typeof props.appearance === 'object' ? props.appearance : undefined;
  const look = useMemo(() => mergedAppearance(saved?.look ?? defaultAppearance, own), [saved, own]);
  const pageScheme = usePageAppearance();
  const forced = typeof props.appearance === 'string' ? props.appearance : look.mode;
  const scheme = forced === 'system' ? pageScheme : forced;
  const withMotion = useMotion();
  const [number] = useState(() => {
    panelCount += 1;
    return panelCount;
  });
  const key = themeKey(scheme, number);
  const theme = useMemo(() => loginTheme(scheme, withMotion, look, key), [scheme, withMotion, look, key]);
  const { baseUrl } = internals.settings;
  useFont(look.font, baseUrl);
  const hasPicture = look.layout.startsWith('picture');
  const picture = hasPicture ? pictureUrl(look.picture, baseUrl) : null;
  const layout = hasPicture && picture === null ? 'card' : look.layout;
  const shown = withLook(props, look, logoOf(look, scheme, baseUrl));
  // A title of the page's own is written for the name that the page gives.
  const appName = internals.settings.appName ?? (props.title === undefined ? saved?.appName : undefined);
  const heading =
    props.title === undefined || appName
      ? titleOf(shown.title ?? '', appName, Boolean(shown.logo))
      : props.title;
  return (
    <StyleProvider cache={styleCache}>
      <ConfigProvider
        prefixCls={prefixCls}
        iconPrefixCls={iconPrefixCls}
        theme={theme}
        direction={directionOf(look)}
        wave={{ disabled: true }}
        button={{ autoInsertSpace: false }}
      >
        <div
          className={classes('oid-login', `oid-login-${layout}`, key)}
          data-appearance={scheme}
          dir={look.direction === 'auto' ? undefined : look.direction}
          style={saved === null ? { visibility: 'hidden' } : undefined}
        >
          {picture !== null && <img className="oid-login-picture" src={picture} alt="" />}
          <Panel
            key={JSON.stringify([internals.settings, purpose, isElsewhere])}
            {...shown}
            look={look}
            heading={heading}
            internals={internals}
            isElsewhere={isElsewhere}
          />
        </div>
      </ConfigProvider>
    </StyleProvider>
  );
}

/** The view of a state: both email forms share one, and a busy state keeps its view. */
function viewOf(state: string): string {
  const [first = '', inner = ''] = state.split('.');
  if (inner === 'forgetting' || inner === 'requestingReset') return 'forgetting';
  return inner === 'resetSent' ? inner : first;
}

/** The number of views before this one. */
const depthOf = (view: string): number =>
  view === 'choosing' ? 0 : view === 'forgetting' || view === 'resetSent' ? 2 : 1;

function choiceOf(method: LoginMethod): LoginEvent {
  if (method === 'email') return { type: 'email.choose' };
  if (method === 'wallet') return { type: 'wallet.choose' };
  return { type: 'provider.choose', provider: method === 'google' ? 'GOOGLE' : 'APPLE' };
}

/**
 * Moves the focus to the first control of the new view after a view change. A view that opens without a click does not
 * scroll the page.
 */
function useFocusOnChange(view: string, beginsByItself: boolean) {
  const panel = useRef<HTMLElement>(null);
  const shown = useRef(view);
  const isBegun = useRef(false);
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    const target = panel.current?.querySelector<HTMLElement>('[data-focus]') ?? panel.current;
    target?.focus({ preventScroll: beginsByItself && !isBegun.current });
    isBegun.current = true;
  }, [view, beginsByItself]);
  return panel;
}

function Panel({
  internals,
  look,
  heading,
  isElsewhere,
  ...props
}: LoginPanelProps & {
  internals: PassportInternals;
  look: Appearance;
  heading: string;
  isElsewhere: boolean;
}) {
  const { widgetText, widgetUrl } = useBedrockPassport();
  const purpose = props.purpose ?? 'signIn';
  const { onProven, onProofRequired, keepsHistory = false, app } = props;

  const machine = useMemo(
    () =>
      loginMachine.provide({
        actors: createLoginActors({
          ...internals,
          purpose,
          keepsHistory,
          markTab: markThisTab,
          page: window.location,
          app,
          openWindow: (request) => signInByPopup(request, window) ?? new Promise(() => undefined),
          onProven: () => onProven?.(),
          onProofRequired: (method) => onProofRequired?.(method),
        }),
      }),
    [internals, purpose, keepsHistory, app, onProven, onProofRequired],
  );
  const login = useActorRef(machine, { input: { purpose, isElsewhere } });
  const state = useSelector(login, (snapshot) => snapshot);
  const wallets = useWallets(internals.wallets);
  const view = viewOf(stateName(state.value));
  const panel = useFocusOnChange(view, props.begin !== undefined);
  const { email, failure, wallet, destination } = state.context;
  const isRegister =
    purpose === 'signIn' &&
    (state.matches({ enteringEmail: 'register' }) || state.matches({ enteringEmail: 'registering' }));
  const back = () => login.send({ type: 'choice.return' });
  const isOnly = isOnlyMethod(props.features);
  const title = panelTitle(stateName(state.value), {
    purpose,
    destination,
    hasWallets: wallets.length > 0,
    hasCode: state.context.pairingUri !== null,
  });

  useViewHistory(keepsHistory, state.matches('redirecting') ? null : depthOf(view), () => {
    const step = (['reset.leave', 'choice.return'] as const).find((type) =>
      login.getSnapshot().can({ type }),
    );
    if (step) login.send({ type: step });
    return step !== undefined;
  });

  const { begin, previewEvents } = props;
  useEffect(() => {
    for (const event of previewEvents ?? []) login.send(event);
  }, [login, previewEvents]);

  useEffect(() => {
    // Starts with the method only once: a return to the choice does not start it again.
    if (begin) login.send(choiceOf(begin));
  }, [login, begin]);

  useEffect(() => {
    if (destination) forgetTypedEmail();
  }, [destination]);

  useEffect(() => {
    // After Back from a provider's page, the browser restores this one in its redirecting state.
    const restore = (event: PageTransitionEvent) => event.persisted && login.send({ type: 'page.restore' });
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, [login]);

  return (
    <section
      ref={panel}
      className={classes('oid-login-panel', props.panelClass)}
      aria-label={props.logoAlt ? `${props.title} ${props.logoAlt}` : heading}
      aria-busy={state.hasTag('busy')}
      tabIndex={-1}
      data-machine={loginMachine.id}
      data-state={stateName(state.value)}
    >
      {/* A live region, because the newly focused control does not say which step it belongs to. */}
      <header
        className={classes(
          'oid-login-header',
          title === null ? undefined : 'oid-login-header-step',
          props.headerClass,
        )}
        aria-live="polite"
      >
        <h2 className={classes('oid-login-title', props.titleClass)}>
          <span>{title ?? heading}</span>
        </h2>
        {props.logo && title === null && (
          <img
            className={classes('oid-login-logo', props.logoClass)}
            src={props.logo}
            alt={props.logoAlt ?? ''}
          />
        )}
      </header>
      {renderView()}
      <footer className="oid-login-footer">
        <LegalLinks {...look.texts} />
        {widgetText && widgetUrl && (
          <a href={widgetUrl} target="_blank" rel="noopener noreferrer">
            {widgetText}
          </a>
        )}
      </footer>
    </section>
  );

  function renderView() {
    const { buttonClass, formClass, inputClass, errorClass } = props;
    const form = {
      buttonClass,
      formClass,
      inputClass,
      errorClass,
      email,
      failure,
      isOnlyMethod: isOnly,
      isBusy: state.hasTag('busy'),
    };
    if (view === 'forgetting') {
      return (
        <ResetForm
          {...form}
          onSubmit={(address) => login.send({ type: 'reset.submit', email: address })}
          onBack={() => login.send({ type: 'reset.leave' })}
        />
      );
    }
    if (view === 'resetSent') {
      return (
        <ResetSent
          email={email}
          mailboxUrl={props.mailboxUrl}
          buttonClass={buttonClass}
          onAgain={() => login.send({ type: 'password.forget', email })}
          onBack={() => login.send({ type: 'reset.leave' })}
        />
      );
    }
    if (view === 'enteringEmail') {
      return (
        <EmailForm
          {...form}
          mode={purpose === 'signIn' ? (isRegister ? 'register' : 'login') : purpose}
          account={props.email}
          onSubmit={(values) => login.send({ type: 'email.submit', ...values })}
          onSwitch={() => login.send({ type: 'form.switch' })}
          onForget={(address) => login.send({ type: 'password.forget', email: address })}
          onBack={back}
        />
      );
    }
    if (state.matches('choosingWallet')) {
      return (
        <WalletChoice
          purpose={purpose}
          isOnlyMethod={isOnly}
          wallets={wallets}
          buttonClass={props.buttonClass}
          onPick={({ id, name, isRemote }) =>
            login.send({ type: 'wallet.pick', wallet: { id, name, isRemote } })
          }
          onBack={back}
          onReload={() => window.location.reload()}
        />
      );
    }
    if (state.matches('waitingForWindow')) return <SignInProgress step="waitingForWindow" onCancel={back} />;
    if (state.matches('pairingWallet')) {
      return <WalletPairing uri={state.context.pairingUri} buttonClass={props.buttonClass} onCancel={back} />;
    }
    for (const step of ['connectingWallet', 'signingMessage', 'verifying'] as const) {
      if (!state.matches(step)) continue;
      return (
        <SignInProgress
          step={step}
          walletName={wallet?.name ?? 'Your wallet'}
          icon={wallets.find(({ id }) => id === wallet?.id)?.icon}
          onCancel={state.can({ type: 'choice.return' }) ? back : undefined}
        />
      );
    }
    if (state.matches('failed')) {
      return (
        <div className="oid-login-stack">
          <FailureAlert
            failure={failure}
            walletName={wallet?.name}
            isOnlyMethod={isOnly}
            className={props.errorClass}
          />
          {state.can({ type: 'wallet.retry' }) && (
            <Button
              block
              size="large"
              type="primary"
              className={props.buttonClass}
              onClick={() => login.send({ type: 'wallet.retry' })}
              data-focus
            >
              Try again
            </Button>
          )}
          <Button block size="large" type="text" onClick={back}>
            {toChoice(purpose, isOnly)}
          </Button>
        </div>
      );
    }
    if (destination?.kind === 'callback') {
      return <SignInProgress step="redirecting" />;
    }
    if (destination?.kind === 'proven') return <SignInProgress step="proven" />;
    return (
      <MethodChoice
        {...props}
        order={look.methods}
        leavingFor={destination?.kind === 'provider' ? destination.provider : null}
        isLeaving={state.matches('redirecting')}
        onProvider={(provider) => login.send({ type: 'provider.choose', provider })}
        onEmail={() => login.send({ type: 'email.choose' })}
        onCreate={() => login.send({ type: 'account.create' })}
        onWallet={() => login.send({ type: 'wallet.choose' })}
      />
    );
  }
}
