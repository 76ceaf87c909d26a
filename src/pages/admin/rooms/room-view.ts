/** One room: its state, charts and everyday controls; the rest is folded. */
import { auditPanel } from '../audit/audit-view.ts';
import type { Desk, View } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { fold } from '../controls/fold.ts';
import type { Panel } from '../controls/panel.ts';
import { accessPanel } from './access/access-panel.ts';
import { visitorPanel } from './access/visitor-panel.ts';
import { chartsPanel } from './charts-panel.ts';
import { clearPanel } from './clear-panel.ts';
import { controlsPanel } from './controls-panel.ts';
import { drawPanel } from './draw-panel.ts';
import { lotSourcesPanel } from './lot-sources-panel.ts';
import { messagePanel } from './message-panel.ts';
import { failOpenPanel } from './pace/fail-open-panel.ts';
import { healthPanel } from './pace/health-panel.ts';
import { salesPanel } from './sales-panel.ts';
import { schedulePanel } from './schedule-panel.ts';
import { settingsPanel } from './settings/settings-panel.ts';
import { statusPanel } from './status-panel.ts';
import { tier1Panel } from './tier1-panel.ts';

export function roomView(desk: Desk, eventId: string): View {
  const { texts, facts } = desk;
  const charts = chartsPanel(desk, eventId);
  const everyday: Panel[] = [
    statusPanel(desk, eventId),
    controlsPanel(desk, eventId),
    charts,
    messagePanel(desk, eventId),
    ...(facts.hasShop ? [salesPanel(desk, eventId)] : []),
    schedulePanel(desk, eventId),
    visitorPanel(desk, eventId),
    drawPanel(desk, eventId),
    lotSourcesPanel(desk, eventId),
  ];
  const advanced: Panel[] = [
    healthPanel(desk, eventId),
    tier1Panel(desk, eventId),
    failOpenPanel(desk, eventId),
    clearPanel(desk, eventId),
    accessPanel(desk, eventId),
    settingsPanel(desk, eventId),
  ];
  const audit = auditPanel(desk, eventId, (entries) => charts.mark(entries));
  const panels = [...everyday, ...advanced, audit];
  const absent = el('p', { className: 'banner', textContent: texts.nothingHere, hidden: true });
  const folded = fold('advanced', texts.advancedTitle, texts.advancedAbout, ...advanced.map(({ root }) => root));
  const body = el(
    'div',
    { className: 'panels', hidden: true },
    ...everyday.map(({ root }) => root),
    audit.root,
    folded,
  );
  return {
    title: eventId,
    historyOf: eventId,
    span: () => charts.span(),
    root: el('div', { className: 'view' }, absent, body),
    update(overview) {
      const room = overview.rooms.find((one) => one.eventId === eventId);
      absent.hidden = room !== undefined;
      body.hidden = room === undefined;
      if (room !== undefined) for (const panel of panels) panel.update?.(room, overview);
    },
    close() {
      for (const panel of panels) panel.close?.();
    },
  };
}
