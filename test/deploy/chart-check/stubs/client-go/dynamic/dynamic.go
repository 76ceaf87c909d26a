// Package dynamic has what Helm needs to compile. It replaces the package of Kubernetes, which asks a cluster.
package dynamic

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

type ResourceInterface interface {
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error)
	List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error)
}

type NamespaceableResourceInterface interface {
	Namespace(string) ResourceInterface
	ResourceInterface
}

type Interface interface {
	Resource(resource schema.GroupVersionResource) NamespaceableResourceInterface
}

func NewForConfig(*rest.Config) (Interface, error) { return nil, errors.New("no cluster") }
