{{/* Environment of a component. Argument: dict "root" $ "component" NAME "roles" ROLES. */}}
{{- define "fairline.env" -}}
{{- $root := .root }}
{{- with .root.Values }}
{{- if eq $.component "gate" }}
- { name: GATE_STATUS_PORT, value: "9464" }
- { name: GATE_LINE_URL, value: {{ include "fairline.lineUrl" $root | quote }} }
{{- if .gate.upstream }}
- { name: GATE_UPSTREAM, value: {{ .gate.upstream | quote }} }
{{- end }}
# Only what a gate must know: whoever takes it over cannot sign tokens.
- name: SERVICE_KEY
  valueFrom: { secretKeyRef: { name: {{ include "fairline.secretName" $root }}, key: SERVICE_KEY, optional: true } }
{{- range include "fairline.gateSecrets" $root | fromYamlArray }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ include "fairline.secretName" $root }}, key: {{ . }} } }
{{- end }}
{{- else }}
- { name: FAIRLINE_ROLES, value: {{ $.roles | quote }} }
- { name: METRICS_PORT, value: "9464" }
{{- if not .shop.enabled }}
- { name: SHOP, value: "off" }
{{- end }}
{{- if ne .tokens.algorithm "HS256" }}
- { name: TOKEN_KEYS_FILE, value: {{ printf "/etc/fairline/keys/%s" .tokens.keys.file | quote }} }
{{- end }}
{{- $redis := ternary (dict "name" (printf "%s-redis" (include "fairline.fullname" $root)) "key" "REDIS_URL") .redis.existingSecret .redis.own }}
{{- if $redis.name }}
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ $redis.name }}, key: {{ $redis.key }} } }
{{- end }}
{{- $postgresql := ternary (dict "name" (printf "%s-postgresql" (include "fairline.fullname" $root)) "key" "DATABASE_URL") .postgresql.existingSecret .postgresql.own }}
{{- if and .shop.enabled $postgresql.name }}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ $postgresql.name }}, key: {{ $postgresql.key }} } }
{{- end }}
{{- end }}
{{- with concat .extraEnv (index . $.component).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{/* A Deployment of a component. Argument: dict "root" $ "component" NAME "roles" ROLES. */}}
{{- define "fairline.deployment" -}}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $component := index $values .component }}
{{- $isGate := eq .component "gate" }}
{{- $hasKeys := and (not $isGate) (ne $values.tokens.algorithm "HS256") }}
{{- $fullname := include "fairline.fullname" .root }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $fullname }}-{{ .component }}
  labels: {{- include "fairline.labels" . | nindent 4 }}
spec:
  {{- if (dig "autoscaling" "enabled" false $component) }}
  # No replicas: the autoscaler sets them, and an upgrade would set them back during a sale.
  {{- else }}
  replicas: {{ $component.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "fairline.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels:
        {{- include "fairline.labels" . | nindent 8 }}
        {{- with $values.pods.labels }}{{ toYaml . | nindent 8 }}{{ end }}
      annotations:
        # New settings and secrets restart the pods.
        checksum/settings: {{ list $values.settings $values.files $values.secrets $values.tokens | toJson | sha256sum }}
        {{- with $values.pods.annotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ include "fairline.serviceAccount" .root }}
      automountServiceAccountToken: false
      # Longer than the delay and STOP_TIMEOUT_MS together.
      terminationGracePeriodSeconds: {{ add $values.stop.delaySeconds $values.stop.timeoutSeconds 15 }}
      securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
      {{- with $values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.pods.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $values.pods.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.pods.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.pods.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.pods.topologyKeys }}
      topologySpreadConstraints:
        {{- range . }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "fairline.selector" $ | nindent 14 }}
        {{- end }}
      {{- end }}
      containers:
        - name: fairline
          image: {{ include "fairline.image" .root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [{{ ternary "gate" "start" $isGate }}]
          env: {{- include "fairline.env" . | trim | nindent 12 }}
          envFrom:
            - configMapRef: { name: {{ $fullname }} }
            {{- if not $isGate }}
            - secretRef: { name: {{ include "fairline.secretName" .root }} }
            {{- end }}
            {{- with $values.extraEnvFrom }}{{ toYaml . | nindent 12 }}{{ end }}
          ports:
            - { name: http, containerPort: 3000 }
            - { name: metrics, containerPort: 9464 }
          {{- if $isGate }}
          # Every path on the port of visitors belongs to the site.
          readinessProbe: { httpGet: { path: /health, port: metrics }, periodSeconds: 2, failureThreshold: 2 }
          livenessProbe: { httpGet: { path: /health, port: metrics }, periodSeconds: 10, failureThreshold: 3 }
          {{- else }}
          readinessProbe: { httpGet: { path: /ready, port: http }, periodSeconds: 2, failureThreshold: 2 }
          # Does not depend on stores: Kubernetes must not restart pods that wait for one.
          livenessProbe: { httpGet: { path: /health, port: http }, periodSeconds: 10, failureThreshold: 3 }
          {{- end }}
          # Keeps serving until load balancers have removed this pod.
          lifecycle: { preStop: { exec: { command: [sleep, {{ $values.stop.delaySeconds | quote }}] } } }
          resources: {{- toYaml $component.resources | nindent 12 }}
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
          volumeMounts:
            - { name: data, mountPath: /data }
            {{- if $hasKeys }}
            - { name: token-keys, mountPath: /etc/fairline/keys, readOnly: true }
            {{- end }}
            {{- if $values.files }}
            - { name: files, mountPath: /etc/fairline/files, readOnly: true }
            {{- end }}
            {{- with $values.pods.extraVolumeMounts }}{{ toYaml . | nindent 12 }}{{ end }}
      volumes:
        # Holds audit entries of this pod while PostgreSQL is unavailable.
        - { name: data, emptyDir: {} }
        {{- if $hasKeys }}
        # The whole folder: a file mounted alone would not follow a rotation.
        - { name: token-keys, secret: { secretName: {{ include "fairline.keysSecretName" .root }}, defaultMode: 0440 } }
        {{- end }}
        {{- if $values.files }}
        - { name: files, configMap: { name: {{ $fullname }}-files } }
        {{- end }}
        {{- with $values.pods.extraVolumes }}{{ toYaml . | nindent 8 }}{{ end }}
{{- end }}

{{/* Service, disruption budget and autoscaler of a component. Same argument. */}}
{{- define "fairline.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "fairline.fullname" .root }}-{{ .component }}
  labels: {{- include "fairline.labels" . | nindent 4 }}
  {{- with .root.Values.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .root.Values.service.type }}
  selector: {{- include "fairline.selector" . | nindent 4 }}
  ports: [{ name: http, port: {{ .root.Values.service.port }}, targetPort: http }]
{{- end }}

{{- define "fairline.disruptionBudget" -}}
{{- $component := index .root.Values .component }}
{{- $replicas := ternary (dig "autoscaling" "minReplicas" 1 $component) $component.replicas (dig "autoscaling" "enabled" false $component) }}
{{- if and .root.Values.podDisruptionBudget.enabled (gt (int $replicas) 1) }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "fairline.fullname" .root }}-{{ .component }}
  labels: {{- include "fairline.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "fairline.selector" . | nindent 6 }}
{{- end }}
{{- end }}

{{- define "fairline.autoscaler" -}}
{{- with (index .root.Values .component).autoscaling }}
{{- if .enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "fairline.fullname" $.root }}-{{ $.component }}
  labels: {{- include "fairline.labels" $ | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "fairline.fullname" $.root }}-{{ $.component }} }
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  behavior:
    # Up at once, because load arrives within seconds. Down slowly, because every removed pod moves its streams.
    scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: Percent, value: 200, periodSeconds: 15 }] }
    scaleDown: { stabilizationWindowSeconds: 900, policies: [{ type: Pods, value: 1, periodSeconds: 60 }] }
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: AverageValue, averageValue: {{ .cpu }} } }
    {{- if .streams }}
    # Idle streams cost memory but no CPU time.
    - type: Pods
      pods: { metric: { name: fairline_streams }, target: { type: AverageValue, averageValue: {{ .streams | quote }} } }
    {{- end }}
{{- end }}
{{- end }}
{{- end }}
