import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { appearancePresets } from '@orange-id/contract/appearance.presets';
import { configuratorPreviewPath, frameTimeoutMs } from '@orange-id/contract/configurator.protocol';
import { useEffect, useRef, useState } from 'react';
import { connectToFrame, type FrameConnection } from '../../api/appearance/frame.connection';
import { LightButton } from '../../ui/LightButton';
import { yours } from './landing.text';
import styles from './landing.module.css';

type Scheme = 'light' | 'dark';

const schemes = [
  { scheme: 'light', title: 'Light' },
  { scheme: 'dark', title: 'Dark' },
] as const;

const schemeOfPage = (): Scheme =>
  getComputedStyle(document.documentElement).colorScheme.includes('dark') ? 'dark' : 'light';

/** The default look with the accent colour of a preset. */
function lookWith(presetId: string, radius: number): Appearance {
  const { colours } = appearancePresets.find(({ id }) => id === presetId)?.appearance ?? defaultAppearance;
  const withAccent = (mode: Scheme) => {
    const { accent, buttonText } = colours[mode];
    return { ...defaultAppearance.colours[mode], accent, buttonText };
  };
  return { ...defaultAppearance, radius, colours: { light: withAccent('light'), dark: withAccent('dark') } };
}

/** The real login widget in a frame, with three of the configurator's settings. Nothing is saved. */
export function LivePreview() {
  const [accent, setAccent] = useState('orange');
  const [radius, setRadius] = useState(defaultAppearance.radius);
  const [scheme, setScheme] = useState(schemeOfPage);
  const first = useRef<HTMLInputElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
    // jsdom scrolls nothing.
    controls.current?.scrollIntoView?.({ block: 'start' });
  }, []);
  return (
    <>
      <div ref={controls} className={styles.yoursControls}>
        <fieldset className={styles.accents}>
          <legend>{yours.accent}</legend>
          {appearancePresets.map(({ id, title, appearance }) => (
            <label key={id} title={title} style={{ backgroundColor: appearance.colours[scheme].accent }}>
              <input
                ref={id === 'orange' ? first : undefined}
                type="radio"
                name="accent"
                autoComplete="off"
                checked={accent === id}
                onChange={() => setAccent(id)}
              />
              <span className="visually-hidden">{title}</span>
            </label>
          ))}
        </fieldset>
        <label className={styles.radius}>
          <span>{yours.radius}</span>
          <input
            type="range"
            autoComplete="off"
            min={0}
            max={24}
            value={radius}
            aria-valuetext={`${radius} pixels`}
            onChange={({ target }) => setRadius(Number(target.value))}
          />
          <output aria-hidden>{radius} px</output>
        </label>
        <fieldset className={styles.segments}>
          <legend>{yours.scheme}</legend>
          <div className={styles.segmentsRow}>
            {schemes.map((one) => (
              <label key={one.scheme}>
                <input
                  type="radio"
                  name="scheme"
                  autoComplete="off"
                  checked={scheme === one.scheme}
                  onChange={() => setScheme(one.scheme)}
                />
                <span>{one.title}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <PreviewFrame look={lookWith(accent, radius)} scheme={scheme} />
    </>
  );
}

function PreviewFrame({ look, scheme }: { look: Appearance; scheme: Scheme }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const channel = useRef<FrameConnection>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const late = setTimeout(() => setState('failed'), frameTimeoutMs);
    const connected = connectToFrame(element, null, ({ type }) => {
      if (type !== 'ready') return;
      clearTimeout(late);
      setState('shown');
    });
    channel.current = connected;
    element.src = configuratorPreviewPath;
    return () => {
      clearTimeout(late);
      connected.close();
    };
  }, [attempt]);

  useEffect(() => {
    if (state === 'shown') channel.current?.send({ type: 'preview', appearance: look, scheme });
  });

  return (
    <div className={styles.yoursFrame}>
      <iframe key={attempt} ref={frame} title={yours.frame} sandbox="allow-scripts" tabIndex={-1} />
      {state === 'loading' && <p role="status">{yours.loading}</p>}
      {state === 'failed' && (
        <div role="alert">
          <p>{yours.failed}</p>
          <LightButton
            onClick={() => {
              setState('loading');
              setAttempt((count) => count + 1);
            }}
          >
            {yours.retry}
          </LightButton>
        </div>
      )}
    </div>
  );
}
