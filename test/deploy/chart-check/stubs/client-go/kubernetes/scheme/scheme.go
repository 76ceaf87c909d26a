// Package scheme has what Helm needs to compile. It replaces the package of Kubernetes, which asks a cluster.
package scheme

import "k8s.io/apimachinery/pkg/runtime"

var Scheme = runtime.NewScheme()

func AddToScheme(*runtime.Scheme) error { return nil }
