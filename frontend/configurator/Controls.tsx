import { ArrowDownOutlined, ArrowUpOutlined, UndoOutlined } from '@ant-design/icons';
import {
  appearanceDensities,
  appearanceDirections,
  appearanceFonts,
  appearanceLayouts,
  appearanceLimits,
  appearanceModes,
  defaultAppearance,
  type Appearance,
} from '@orange-id/contract/appearance';
import { appearancePresets } from '@orange-id/contract/appearance.presets';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import { Button, Checkbox, Collapse, Flex, Input, Segmented, Select, Slider } from 'antd';
import type { ReactNode } from 'react';
import type { ColorScheme } from '../widget/color.scheme';
import { ColourField } from './ColourField';
import {
  densityTitles,
  directionTitles,
  fontTitles,
  layoutTitles,
  methodTitles,
  modeTitles,
} from './controls.text';
import { PictureField } from './PictureField';

interface ControlsProps {
  look: Appearance;
  /** The scheme whose colours are shown. */
  scheme: ColorScheme;
  /** Another object after each change and each save. */
  revision: object;
  onChange(look: Appearance, field: string): void;
  upload(file: File): Promise<string>;
}

const optionsOf = <T extends string>(values: readonly T[], titles: Record<T, string>) =>
  values.map((value) => ({ value, label: titles[value] }));

/** What the look is made of; each part with a reset of its own. */
export function Controls({ look, scheme, revision, onChange, upload }: ControlsProps) {
  const set = <K extends keyof Appearance>(name: K, value: Appearance[K], field: string = name) =>
    onChange({ ...look, [name]: value }, field);
  const text = (name: keyof Appearance['texts'], value: string) =>
    set('texts', { ...look.texts, [name]: value }, `texts.${name}`);
  const palette = look.colours[scheme];
  const colour = (name: keyof typeof palette, value: string) =>
    set('colours', { ...look.colours, [scheme]: { ...palette, [name]: value } }, `colours.${scheme}.${name}`);
  const reset = (...names: (keyof Appearance)[]) => ({
    isChanged: names.some((name) => JSON.stringify(look[name]) !== JSON.stringify(defaultAppearance[name])),
    onReset: () =>
      onChange(
        { ...look, ...Object.fromEntries(names.map((name) => [name, defaultAppearance[name]])) },
        `reset.${names.join()}`,
      ),
  });

  const parts: [key: string, title: string, reset: ReturnType<typeof reset>, body: ReactNode][] = [
    [
      'colours',
      'Colours',
      reset('colours', 'mode'),
      <>
        <Group label="Scheme">
          <Segmented
            value={look.mode}
            options={optionsOf(appearanceModes, modeTitles)}
            onChange={(mode) => set('mode', mode)}
          />
        </Group>
        <p className="help">
          {look.mode === 'system'
            ? `The colours of the ${scheme} scheme. Choose the other one above the preview.`
            : `The panel is always ${look.mode}.`}
        </p>
        <ColourField
          label="Accent"
          value={palette.accent}
          against={null}
          onChange={(value) => colour('accent', value)}
        />
        <ColourField
          label="Button text"
          value={palette.buttonText}
          against={palette.accent}
          onChange={(value) => colour('buttonText', value)}
        />
        <ColourField
          label="Background"
          value={palette.background}
          against={null}
          onChange={(value) => colour('background', value)}
        />
        <ColourField
          label="Text"
          value={palette.text}
          against={palette.background}
          onChange={(value) => colour('text', value)}
        />
        <ColourField
          label="Border"
          value={palette.border}
          against={null}
          onChange={(value) => colour('border', value)}
        />
      </>,
    ],
    [
      'logo',
      'Logo',
      reset('logo'),
      <>
        <PictureField
          label="Logo on light"
          value={look.logo.light}
          revision={revision}
          upload={upload}
          onChange={(light) => set('logo', { ...look.logo, light }, 'logo.light')}
        />
        <PictureField
          label="Logo on dark"
          value={look.logo.dark}
          revision={revision}
          upload={upload}
          onChange={(dark) => set('logo', { ...look.logo, dark }, 'logo.dark')}
        />
        <Labelled label="Alternative text">
          <Input
            value={look.logo.alt}
            maxLength={appearanceLimits.altMax}
            onChange={({ target }) => set('logo', { ...look.logo, alt: target.value }, 'logo.alt')}
          />
        </Labelled>
      </>,
    ],
    [
      'text',
      'Font and size',
      reset('font', 'fontSize'),
      <>
        <Labelled label="Font">
          <Select
            value={look.font}
            options={optionsOf(appearanceFonts, fontTitles)}
            onChange={(font) => set('font', font)}
          />
        </Labelled>
        <Group label={`Size, ${look.fontSize} px`}>
          <Slider
            min={appearanceLimits.fontSizeMin}
            max={appearanceLimits.fontSizeMax}
            value={look.fontSize}
            onChange={(fontSize) => set('fontSize', fontSize)}
            ariaLabelForHandle="Size"
          />
        </Group>
      </>,
    ],
    [
      'layout',
      'Layout',
      reset('layout', 'picture', 'radius', 'density', 'direction'),
      <>
        <Labelled label="Layout">
          <Select
            value={look.layout}
            options={optionsOf(appearanceLayouts, layoutTitles)}
            onChange={(layout) => set('layout', layout)}
          />
        </Labelled>
        {look.layout === 'page' && (
          <p className="help">The panel fills the element of your page that holds it.</p>
        )}
        {look.layout.startsWith('picture') && (
          <>
            <PictureField
              label="Picture"
              value={look.picture}
              revision={revision}
              upload={upload}
              onChange={(picture) => set('picture', picture)}
            />
            <p className="help">Shown where the panel has more than 600 px of width.</p>
          </>
        )}
        <Group label={`Corner radius, ${look.radius} px`}>
          <Slider
            min={0}
            max={appearanceLimits.radiusMax}
            value={look.radius}
            onChange={(radius) => set('radius', radius)}
            ariaLabelForHandle="Corner radius"
          />
        </Group>
        <Group label="Density">
          <Segmented
            value={look.density}
            options={optionsOf(appearanceDensities, densityTitles)}
            onChange={(density) => set('density', density)}
          />
        </Group>
        <Labelled label="Text direction">
          <Select
            value={look.direction}
            options={optionsOf(appearanceDirections, directionTitles)}
            onChange={(direction) => set('direction', direction)}
          />
        </Labelled>
      </>,
    ],
    [
      'methods',
      'Sign-in methods',
      reset('methods'),
      <Methods key="methods" value={look.methods} onChange={(methods) => set('methods', methods)} />,
    ],
    [
      'texts',
      'Texts and links',
      reset('texts'),
      <>
        <Labelled label="Title">
          <Input
            value={look.texts.title}
            maxLength={appearanceLimits.titleMax}
            onChange={({ target }) => text('title', target.value)}
          />
        </Labelled>
        <Labelled label="Wallet button">
          <Input
            value={look.texts.walletButton}
            maxLength={appearanceLimits.buttonMax}
            onChange={({ target }) => text('walletButton', target.value)}
          />
        </Labelled>
        <Labelled label="Separator">
          <Input
            value={look.texts.separator}
            maxLength={appearanceLimits.separatorMax}
            onChange={({ target }) => text('separator', target.value)}
          />
        </Labelled>
        <Labelled label="Terms URL">
          <Input
            type="url"
            value={look.texts.termsUrl}
            placeholder="https://app.example.com/terms"
            onChange={({ target }) => text('termsUrl', target.value.trim())}
          />
        </Labelled>
        <Labelled label="Privacy Policy URL">
          <Input
            type="url"
            value={look.texts.privacyUrl}
            placeholder="https://app.example.com/privacy"
            onChange={({ target }) => text('privacyUrl', target.value.trim())}
          />
        </Labelled>
      </>,
    ],
  ];

  return (
    <>
      <Group label="Start from a preset">
        <div className="presets">
          {appearancePresets.map(({ id, title, appearance }) => (
            <button
              key={id}
              type="button"
              className="preset"
              aria-label={`Preset ${title}`}
              onClick={() =>
                onChange(
                  {
                    ...appearance,
                    logo: look.logo,
                    picture: look.picture,
                    methods: look.methods,
                    texts: look.texts,
                    layout: look.layout,
                  },
                  `preset.${id}`,
                )
              }
            >
              <span
                className="swatch"
                style={{
                  background: appearance.colours[scheme].background,
                  borderColor: appearance.colours[scheme].border,
                }}
              >
                <span style={{ background: appearance.colours[scheme].accent }} />
              </span>
              {title}
            </button>
          ))}
        </div>
      </Group>
      <Collapse
        bordered={false}
        // A whole header as a button would have the reset's button in it.
        collapsible="header"
        defaultActiveKey={['colours', 'logo', 'methods']}
        items={parts.map(([key, label, { isChanged, onReset }, children]) => ({
          key,
          label,
          children,
          extra: isChanged && (
            <Button
              type="text"
              size="small"
              icon={<UndoOutlined aria-hidden />}
              aria-label={`Reset ${label}`}
              onClick={onReset}
            >
              Reset
            </Button>
          ),
        }))}
      />
    </>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="field column">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** For several controls: a `label` would press the first of them. */
function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="field column" role="group" aria-label={label}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}

/** The methods: which are shown, and in which order. The last one that is shown can't be hidden. */
function Methods({
  value,
  onChange,
}: {
  value: Appearance['methods'];
  onChange(methods: Appearance['methods']): void;
}) {
  const hidden = signInMethods.filter((method) => !value.includes(method));
  const move = (at: number, by: number) => {
    const next = [...value];
    const [method] = next.splice(at, 1);
    next.splice(at + by, 0, method as never);
    onChange(next);
  };
  return (
    <ul className="methods">
      {[...value, ...hidden].map((method, at) => {
        const isShown = at < value.length;
        return (
          <li key={method}>
            <Checkbox
              checked={isShown}
              disabled={isShown && value.length === 1}
              onChange={() =>
                onChange(isShown ? value.filter((each) => each !== method) : [...value, method])
              }
            >
              {methodTitles[method]}
            </Checkbox>
            {isShown && (
              <Flex gap={4}>
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowUpOutlined aria-hidden />}
                  aria-label={`Move ${methodTitles[method]} up`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowDownOutlined aria-hidden />}
                  aria-label={`Move ${methodTitles[method]} down`}
                  disabled={at === value.length - 1}
                  onClick={() => move(at, 1)}
                />
              </Flex>
            )}
          </li>
        );
      })}
    </ul>
  );
}
