// chart-check lints and renders a chart with the packages of Helm, and validates what it renders with kubeconform. It reads
// a request from standard input and writes the results to standard output, both JSON. The tests in this folder use it.
//
// It is not the helm program, because that takes minutes of CPU time to compile: nearly all of it for Kubernetes' clients,
// which serve only to ask a cluster. stubs/ replaces them. Two things differ from helm: what `lookup` finds is in the
// request, and lint does not know which API versions are deprecated (the schemas have only current ones).
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strings"

	"github.com/yannh/kubeconform/pkg/validator"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
)

type request struct {
	Chart string `json:"chart"`
	// Folder with the schemas for kubeconform.
	Schemas     string       `json:"schemas"`
	KubeVersion string       `json:"kubeVersion"`
	Cases       []renderCase `json:"cases"`
}

type renderCase struct {
	Values    map[string]any `json:"values"`
	Release   string         `json:"release"`
	Namespace string         `json:"namespace"`
	IsUpgrade bool           `json:"isUpgrade"`
	// API versions that the cluster has, such as monitoring.coreos.com/v1.
	APIVersions []string `json:"apiVersions"`
	// What lookup finds in the cluster.
	Objects []map[string]any `json:"objects"`
	// Whether to lint too. It renders the chart a second time.
	Lint bool `json:"lint"`
}

type rendering struct {
	// Why the chart was not rendered; empty: it was.
	Error string `json:"error"`
	// Rendered files by their path in the chart.
	Files map[string]string `json:"files"`
	Notes string            `json:"notes"`
	// What helm lint --strict reports.
	Lint []string `json:"lint"`
	// What kubeconform reports.
	Problems []string `json:"problems"`
}

func main() {
	// Helm logs that the alerts are a symbolic link.
	log.SetOutput(io.Discard)
	renderings, err := answer(os.Stdin)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(renderings)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(input io.Reader) ([]rendering, error) {
	var asked request
	if err := json.NewDecoder(input).Decode(&asked); err != nil {
		return nil, fmt.Errorf("the request is not valid: %w", err)
	}
	conform, err := validator.New(
		[]string{asked.Schemas + "/{{ .ResourceKind }}{{ .KindSuffix }}.json"},
		validator.Opts{Strict: true},
	)
	if err != nil {
		return nil, err
	}
	kubeVersion, err := chartutil.ParseKubeVersion(asked.KubeVersion)
	if err != nil {
		return nil, err
	}
	renderings := make([]rendering, 0, len(asked.Cases))
	for _, one := range asked.Cases {
		// Read again for each: rendering changes the values of a chart.
		loaded, err := loader.Load(asked.Chart)
		if err != nil {
			return nil, err
		}
		result := render(loaded, one, kubeVersion)
		if one.Lint {
			result.Lint = lintProblems(asked.Chart, one, kubeVersion)
		}
		result.Problems = validate(conform, result.Files)
		renderings = append(renderings, result)
	}
	return renderings, nil
}

func render(loaded *chart.Chart, one renderCase, kubeVersion *chartutil.KubeVersion) rendering {
	if !chartutil.IsCompatibleRange(loaded.Metadata.KubeVersion, kubeVersion.String()) {
		return rendering{Error: "the chart does not support Kubernetes " + kubeVersion.String()}
	}
	capabilities := &chartutil.Capabilities{
		KubeVersion: *kubeVersion,
		APIVersions: append(chartutil.VersionSet{"v1", "apps/v1"}, one.APIVersions...),
		HelmVersion: chartutil.DefaultCapabilities.HelmVersion,
	}
	release := chartutil.ReleaseOptions{
		Name:      one.Release,
		Namespace: one.Namespace,
		Revision:  1,
		IsInstall: !one.IsUpgrade,
		IsUpgrade: one.IsUpgrade,
	}
	values, err := chartutil.ToRenderValues(loaded, one.Values, release, capabilities)
	if err != nil {
		return rendering{Error: err.Error()}
	}
	rendered, err := engine.RenderWithClientProvider(loaded, values, cluster{objects: one.Objects})
	if err != nil {
		return rendering{Error: err.Error()}
	}
	result := rendering{Files: map[string]string{}}
	for path, text := range rendered {
		inChart := strings.TrimPrefix(path, loaded.Name()+"/")
		switch {
		case strings.HasSuffix(path, "NOTES.txt"):
			result.Notes = text
		case strings.TrimSpace(text) != "" && !strings.HasPrefix(inChart, "templates/_"):
			result.Files[inChart] = text
		}
	}
	return result
}

func lintProblems(path string, one renderCase, kubeVersion *chartutil.KubeVersion) []string {
	problems := []string{}
	for _, message := range lint.AllWithKubeVersion(path, one.Values, one.Namespace, kubeVersion).Messages {
		if message.Severity >= support.WarningSev {
			problems = append(problems, message.Error())
		}
	}
	return problems
}

func validate(conform validator.Validator, files map[string]string) []string {
	problems := []string{}
	for path, text := range files {
		for _, result := range conform.Validate(path, io.NopCloser(strings.NewReader(text))) {
			if result.Status != validator.Valid && result.Status != validator.Empty {
				problems = append(problems, fmt.Sprintf("%s: %v", path, result.Err))
			}
		}
	}
	sort.Strings(problems)
	return problems
}
